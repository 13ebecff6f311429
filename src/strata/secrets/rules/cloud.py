"""Tokens of clouds, of what runs in them, and of what watches over it."""

from strata.secrets.rules.rule import tokens

RULES = tokens(r"""
aws_access_key          AKIA,ASIA,ABIA,ACCA         (?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}
aws_bedrock_key         ABSK                        ABSK[A-Za-z0-9+/]{100,}={0,2}
google_api_key          AIza                        AIza[\w-]{35}
google_oauth_secret     GOCSPX-                     GOCSPX-[\w-]{28}
google_oauth_token      ~ya29.                      ya29\.[\w-]{20,}
google_refresh_token    ~1//0                       1//0[\w-]{40,}
azure_storage_key       ~accountkey=                AccountKey=([A-Za-z0-9+/]{64,88}={0,2})
azure_shared_key        ~sharedaccesskey=           SharedAccessKey=([A-Za-z0-9+/]{43}=)
azure_config_secret     ~;secret=                   ;Secret=([A-Za-z0-9+/]{36,}=?)
azure_sas_signature     ~sig=                       [?&]sig=([A-Za-z0-9]{20,}(?:%[0-9a-fA-F]{2}[A-Za-z0-9]*)+)
azure_client_secret     ~q~                         [\w~.-]{3}\dQ~[\w~.-]{31,34}
azure_devops_token      ~azdo                       [A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}
alibaba_access_key      LTAI                        LTAI[A-Za-z0-9]{12,20}
tencent_secret_id       AKID                        AKID[A-Za-z0-9]{32}
digitalocean_token      doo_,dop_,dor_              do[opr]_v1_[a-f0-9]{64}
heroku_key              HRKU-                       HRKU-[\w-]{36,90}
cloudflare_token        cfut_,cfat_,cfk_            cf(?:ut|at|k)_[A-Za-z0-9]{40,60}
cloudflare_origin_key   ~v1.0-                      v1\.0-[a-f0-9]{24}-[a-f0-9]{146}
fly_token               fm1,fm2_,fo1_               (?:fm[12][a-z]?_[A-Za-z0-9+/]{100,}={0,2}|fo1_[\w-]{43})
vercel_token            vcp_,vci_,vca_,vcr_,vck_    vc[piark]_[A-Za-z0-9_-]{24,}
netlify_token           nfp_,nfo_,nfc_,nfu_,nfb_    nf[pocub]_[A-Za-z0-9_]{36}
render_key              rnd_                        rnd_[A-Za-z0-9]{24,}
supabase_token          sbp_                        sbp_(?:v0_)?[a-f0-9]{40}
supabase_secret_key     sb_secret_                  sb_secret_[\w-]{31,}
planetscale_password    pscale_                     pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}
databricks_token        dapi,dose                   (?:dapi|dose)[a-f0-9]{32}(?:-\d)?
snowflake_token         ~ver:1-hint:                ver:1-hint:\d+-ETMsDgAAA[\w+/=%-]{100,}
vault_token             ~hvs.,~hvb.,~hvr.           hv[sbr]\.[\w-]{24,300}
terraform_token         ~.atlasv1.                  [A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}
pulumi_token            pul-                        pul-[a-f0-9]{40}
doppler_token           ~dp.                        dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,44}
onepassword_token       ops_eyJ                     ops_eyJ[\w+/-]{200,}={0,3}
tailscale_key           tskey-                      tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,}
grafana_token           glsa_                       glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}
grafana_cloud_token     glc_eyJ                     glc_eyJ[A-Za-z0-9+/]{40,}={0,2}
newrelic_key            NRAK,NRJS,NRII,NRRA         NR(?:AK|JS|II|RA)-[\w-]{19,42}
dynatrace_token         ~dt0c01.,~dt0s01.           dt0[cs]\d\d\.[A-Z2-7]{24}\.[A-Z2-7]{64}
sentry_token            sntryu_,sntrys_             sntry(?:u_[a-f0-9]{64}|s_eyJ[\w+/=-]{60,})
launchdarkly_key        sdk-,api-,mob-              (?:sdk|api|mob)-[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[a-f0-9]{4}-[a-f0-9]{12}
fastly_token            ~fastly                     (?i:fastly)[\w .-]{0,20}["']?\s*[:=]\s*["']?([\w-]{32})
confluent_secret        cflt                        cflt[A-Za-z0-9+/]{60}
prefect_key             pnu_                        pnu_[A-Za-z0-9]{36}
scaleway_key            SCW                         SCW[A-Z0-9]{17}
""")  # noqa: E501  (a pattern cannot be broken)
