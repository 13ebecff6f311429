"""Tokens of code hosts, package registries, builds and the tools of developers."""

from strata.secrets.rules.rule import tokens

RULES = tokens(r"""
github_token            ghp_,gho_,ghu_,ghr_         gh[pour]_[A-Za-z0-9]{36}
github_app_token        ghs_                        ghs_(?:[A-Za-z0-9]{36}|\d+_[\w.-]{60,})
github_fine_token       github_pat_                 github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}
gitlab_token            glpat-                      glpat-[\w-]{20,300}(?:\.[a-z0-9]{2}\.?[a-z0-9]{7,9})?
gitlab_deploy_token     gldt-                       gldt-[\w-]{20,}
gitlab_runner_token     glrt-,glrtr-,GR1348941      (?:glrtr?-(?:t\d_)?[\w-]{20,}|GR1348941[\w-]{20,})
gitlab_ci_token         glcbt-                      glcbt-(?:[\w-]{1,5}_)?[\w-]{20,}
gitlab_trigger_token    glptt-                      glptt-[\w-]{20,}
gitlab_feed_token       glft-,glimt-                gl(?:f|im)t-[\w-]{20,}
gitlab_agent_token      glagent-                    glagent-[\w-]{40,}
gitlab_app_secret       gloas-,glsoat-,glffct-      gl(?:oas|soat|ffct)-[\w-]{20,}
bitbucket_token         ATBB,ATCTT3                 (?:ATBB[A-Za-z0-9]{32}|ATCTT3[\w=-]{40,})
atlassian_token         ATATT3                      ATATT3[\w=-]{60,300}
azure_artifacts_key     ~azds                       [A-Za-z0-9]{76}AZDS[A-Za-z0-9]{4}
npm_token               npm_                        npm_[A-Za-z0-9]{36}
pypi_token              pypi-                       pypi-AgE[A-Za-z0-9_-]{50,}
rubygems_key            rubygems_                   rubygems_[a-f0-9]{48}
crates_token            cio                         cio[A-Za-z0-9]{32}
nuget_key               oy2                         oy2[a-z0-9]{43}
clojars_token           CLOJARS_                    CLOJARS_[a-z0-9]{60}
docker_token            dckr_pat_,dckr_oat_         dckr_(?:pat|oat)_[\w-]{27,32}
artifactory_key         AKCp,cmVmdGtuOj             (?:AKCp[A-Za-z0-9]{69}|cmVmdGtuOj[A-Za-z0-9]{54})
circleci_token          CCIPAT_,CCIPRJ_             CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}
buildkite_token         bkua_,bkaj_,bkct_           bk(?:ua|aj|ct)_[a-f0-9A-Z]{40,}
sonar_token             sqp_,sqa_,squ_              sq[pau]_[a-f0-9]{40}
sourcegraph_token       sgp_                        sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}
postman_key             PMAK-                       PMAK-[a-f0-9]{24}-[a-f0-9]{34}
figma_token             figd_,figo_                 fig[do]_[\w-]{40,}
linear_key              lin_api_,lin_oauth_         lin_(?:api|oauth)_[A-Za-z0-9]{40,64}
notion_token            ntn_                        ntn_(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{40,50}
notion_secret           secret_                     secret_(?=[A-Za-z]{0,42}\d)[A-Za-z0-9]{43}
airtable_token          pat                         pat[A-Za-z0-9]{14}\.[a-f0-9]{64}
contentful_token        CFPAT-                      CFPAT-[\w-]{43}
readme_key              rdme_                       rdme_[a-z0-9]{70}
typeform_token          tfp_                        tfp_[\w.-]{40,59}
snyk_token              ~snyk_                      snyk_(?:uat|sat)\.[a-z0-9]{8}\.[\w.-]{40,}
semgrep_token           ~semgrep_app_token          SEMGREP_APP_TOKEN["']?\s*[:=]\s*["']?([a-f0-9]{64})
endor_key               ~endr+                      endr\+[A-Za-z0-9-]{16}
harness_token           ~pat.                       pat\.[\w-]{22}\.[a-f0-9]{24}\.[A-Za-z0-9]{20}
infracost_key           ico-                        ico-[A-Za-z0-9]{32}
""")  # noqa: E501  (a pattern cannot be broken)
