"""Users, teams, folders, shares, tokens and sign-ins, and every decision about permissions."""

from strata.access.audit import Audit
from strata.access.audit_log import note
from strata.access.folders import Folders
from strata.access.grants import (
    EVERYTHING,
    OF_DOCUMENTS,
    OWNER,
    Grant,
    grant_of_scopes,
    scopes_for,
)
from strata.access.permissions import (
    Permissions,
    StagedPermissions,
    changing_as,
    missing_document,
)
from strata.access.records import (
    NOBODY,
    Audience,
    AuditEntry,
    DocumentReader,
    DocumentSpace,
    Folder,
    Member,
    Placement,
    Share,
    Team,
    User,
    owner_of,
)
from strata.access.roles import FULL, ROLES, Cap, Role
from strata.access.shares import Shares
from strata.access.signing import Browser, Opened, SignInCode, SignIns
from strata.access.spaces import DocumentSpaces
from strata.access.teams import Teams
from strata.access.tokens import NewToken, Token, Tokens
from strata.access.users import Users, check_email, find_user, match_of

__all__ = [
    "EVERYTHING",
    "FULL",
    "NOBODY",
    "OF_DOCUMENTS",
    "OWNER",
    "ROLES",
    "Audience",
    "Audit",
    "AuditEntry",
    "Browser",
    "Cap",
    "DocumentReader",
    "DocumentSpace",
    "DocumentSpaces",
    "Folder",
    "Folders",
    "Grant",
    "Member",
    "NewToken",
    "Opened",
    "Permissions",
    "Placement",
    "Role",
    "Share",
    "Shares",
    "SignInCode",
    "SignIns",
    "StagedPermissions",
    "Team",
    "Teams",
    "Token",
    "Tokens",
    "User",
    "Users",
    "changing_as",
    "check_email",
    "find_user",
    "grant_of_scopes",
    "match_of",
    "missing_document",
    "note",
    "owner_of",
    "scopes_for",
]
