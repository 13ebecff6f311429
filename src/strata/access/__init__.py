"""Users, teams, folders, shares, tokens and sign-ins, and every decision about permissions."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.access.audit import Audit
    from strata.access.audit_log import access_mark, note
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
        role_read,
    )
    from strata.access.records import (
        NOBODY,
        Audience,
        AuditEntry,
        DocumentReader,
        DocumentSpace,
        Folder,
        Member,
        MoveEffect,
        Placement,
        ReaderChange,
        Share,
        ShareLink,
        Team,
        User,
        forget_places,
        is_public,
        owner_of,
        public_documents,
        read_of_public,
        user_names,
    )
    from strata.access.roles import FULL, ROLES, Cap, Role
    from strata.access.share_links import JoinedByLink, LinkOffer, NewShareLink, ShareLinks
    from strata.access.shares import Shares
    from strata.access.signing.records import Browser, Opened, SignInCode
    from strata.access.signing.sign_ins import SignIns
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
    "JoinedByLink",
    "LinkOffer",
    "Member",
    "MoveEffect",
    "NewShareLink",
    "NewToken",
    "Opened",
    "Permissions",
    "Placement",
    "ReaderChange",
    "Role",
    "Share",
    "ShareLink",
    "ShareLinks",
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
    "access_mark",
    "changing_as",
    "check_email",
    "find_user",
    "forget_places",
    "grant_of_scopes",
    "is_public",
    "match_of",
    "missing_document",
    "note",
    "owner_of",
    "public_documents",
    "read_of_public",
    "role_read",
    "scopes_for",
    "user_names",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.access.audit": "Audit",
        "strata.access.audit_log": "access_mark note",
        "strata.access.folders": "Folders",
        "strata.access.grants": "EVERYTHING OF_DOCUMENTS OWNER Grant grant_of_scopes scopes_for",
        "strata.access.permissions": (
            "Permissions StagedPermissions changing_as missing_document role_read"
        ),
        "strata.access.records": (
            "NOBODY Audience AuditEntry DocumentReader DocumentSpace Folder Member MoveEffect "
            "Placement ReaderChange Share ShareLink Team User forget_places is_public owner_of "
            "public_documents read_of_public user_names"
        ),
        "strata.access.roles": "FULL ROLES Cap Role",
        "strata.access.share_links": "JoinedByLink LinkOffer NewShareLink ShareLinks",
        "strata.access.shares": "Shares",
        "strata.access.signing.records": "Browser Opened SignInCode",
        "strata.access.signing.sign_ins": "SignIns",
        "strata.access.spaces": "DocumentSpaces",
        "strata.access.teams": "Teams",
        "strata.access.tokens": "NewToken Token Tokens",
        "strata.access.users": "Users check_email find_user match_of",
    },
)
