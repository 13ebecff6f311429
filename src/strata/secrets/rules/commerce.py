"""Tokens of what a business talks and trades by: messengers, mail, payments, shops."""

from binascii import b2a_base64

from strata.secrets.rules.rule import tokens

# A bot's token begins with its number in base64, a key of Twilio goes on in hexadecimal.
_NUMBERS = ",".join(b2a_base64(b"%d0" % number).decode()[:3] for number in range(10, 100))
_TWILIO = ",".join(f"SK{digit}" for digit in "0123456789abcdef")

_TABLE = r"""
slack_token             xox                         xox[abeoprs](?:\.xox[bp])?-[\w-]{10,250}
slack_app_token         xapp-                       xapp-\d-[A-Z0-9]+-\d+-[a-zA-Z0-9]{20,}
slack_webhook           ~hooks.slack.com            hooks\.slack\.com/((?:services|workflows|triggers)/[A-Za-z0-9+/]{30,80})
discord_bot_token       @numbers                    [MNO][A-Za-z0-9_-]{23,28}\.[\w-]{6}\.[\w-]{27,40}
discord_webhook         ~/api/webhooks/             discord(?:app)?\.com/api/webhooks/(\d{17,20}/[\w-]{60,})
telegram_bot_token      ~:aa                        \d{8,10}:AA[\w-]{32,33}
teams_webhook           ~webhook.office.com         webhook\.office\.com/(webhookb2/[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9-]{36})
twilio_key              @twilio                     SK[0-9a-f]{32}
sendgrid_key            ~sg.                        SG\.[\w-]{22}\.[\w-]{43}
mailgun_key             key-                        key-[0-9a-f]{32}
mailgun_sending_key     ~mailgun                    [0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}
mailchimp_key           ~-us                        (?<=([0-9a-f]{32}))-us\d{1,2}
brevo_key               xkeysib-,xsmtpsib-          x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}
resend_key              re_                         re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}
stripe_key              sk_live_,sk_test_,rk_live_,rk_test_   [sr]k_(?:live|test)_[A-Za-z0-9]{16,250}
stripe_webhook_secret   whsec_                      whsec_[A-Za-z0-9+/]{32,}={0,2}
square_token            sq0atp-,sq0csp-             sq0(?:atp|csp)-[\w-]{22,43}
square_access_token     EAAA                        EAAA[\w-]{60}
paypal_braintree_token  ~access_token$              access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}
plaid_token             access-                     access-(?:sandbox|development|production)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}
flutterwave_key         FLWSECK                     FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,40}-?X?
shopify_token           shpat_,shpca_,shppa_,shpss_ shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}
shippo_token            shippo_                     shippo_(?:live|test)_[a-fA-F0-9]{40}
easypost_key            EZAK,EZTK                   EZ[AT]K[A-Za-z0-9]{54}
facebook_token          EAA                         EAA(?<![+/]EAA)[A-Za-z][A-Za-z0-9]{90,}(?![+/=])
twitter_bearer          AAAAAAAAAAAAAAAAAAAAA       A{21,22}[A-Za-z0-9]{8,40}%[A-Za-z0-9%]{30,}
dropbox_token           ~sl.                        sl\.(?:u\.)?[\w-]{130,}
hubspot_token           pat-                        pat-(?:na|eu|ap)\d-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}
mapbox_secret           ~sk.eyj                     sk\.eyJ[\w-]{60,}\.[\w-]{20,}
sinch_webex_token       ~webex                      (?i:webex)[\w .-]{0,20}["']?\s*[:=]\s*["']?([A-Za-z0-9]{64}_[A-Za-z0-9]{4}_[a-f0-9-]{36})
lob_key                 live_,test_                 (?:live|test)_(?:pub_)?[a-f0-9]{35}
"""  # noqa: E501  (a pattern cannot be broken)

RULES = tokens(_TABLE.replace("@numbers", _NUMBERS).replace("@twilio", _TWILIO))
