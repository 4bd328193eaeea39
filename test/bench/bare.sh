#!/usr/bin/env bash
# What people write instead for one portal: sign in, read, update, with curl and jq.
set -euo pipefail

form() { curl --silent --fail --header "authorization: Bearer $token" "$@"; }

token=$(jq --null-input --compact-output '{BEID: env.LINTEL_BEID, WebServicesKey: env.LINTEL_WEB_SERVICES_KEY}' |
  curl --silent --fail --header 'content-type: application/json' --data @- "$SIGN_IN_URL/api/auth/loginadmin")
settings="$PORTAL_URL/portals/portal-1/settings"
banner=$(form "$settings?f=json" | jq --compact-output --arg text "$RANDOM" \
  '(.informationalBanner // {}) + {text: $text, enabled: true}')
form "$settings/update" --data f=json --data-urlencode "informationalBanner=$banner" |
  jq --exit-status '.success == true' > /dev/null
