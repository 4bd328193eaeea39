# Platforms that refuse to create what is there already, for the steps of setup. Each thing is a file in $made.
made=$(mktemp -d)
place() { tr -c 'A-Za-z0-9' _ <<< "$1"; }
has() { [ -e "$made/$(place "$1")" ]; }
add() {
  if has "$1"; then echo "There is already: $1" >> "$made.refused"; return 1; fi
  touch "$made/$(place "$1")"
}
named() { grep -o '"name": *"[^"]*"' | head -1; }
git() {
  case "$*" in
    "remote get-url origin") echo https://example.com/gis/portals ;;
    ls-remote*) has states-main ;;
    fetch* | diff*) ;;
    push*refs/heads/main) add states-main ;;
  esac
}
lintel() { :; }
# Succeeds with -e if the platform showed something.
jq() { case "$*" in -nr*) echo "${@: -1}" ;; -e*any_approver*) grep any ;; -e*reviewers*) grep reviewers ;; -e*) [ "$(cat)" ] ;; *) cat > /dev/null; echo 42 ;; esac; }
gh() {
  case "$*" in
    "secret list"*) if has "key $4"; then echo 42; fi ;;
    *codeowners/errors*) ;;
    *".name == "*) has "ruleset $(sed 's/.*name == "\([^"]*\)".*/"name": "\1"/' <<< "$*")" && echo 42 || true ;;
    *"POST repos"*/rulesets*) add "ruleset $(named)" ;;
    *"POST "*branch-policies*) add "branch policy $4" ;;
    *"DELETE "*branch-policies*) rm "$made/$(place "branch policy ${4%/42}")" ;;
    *branch-policies*) if has "branch policy $2"; then echo 42; fi ;;
    *--input*) cat > /dev/null ;;
    "repo deploy-key list"*readOnly*) ;;
    "repo deploy-key list"*) if has "deploy key"; then echo 42; fi ;;
    "repo deploy-key delete"*) rm "$made/deploy_key" ;;
    "repo deploy-key add"*) add "deploy key" ;;
    "secret set LINTEL_DEPLOY_KEY"*) cat > /dev/null; add "key $5" ;;
    "secret set"*) cat > /dev/null ;;
    *) echo 42 ;;
  esac
}
glab() {
  case "$*" in
    # A branch that is protected stays so at every moment.
    *DELETE*) if has "branch ${4##*/}"; then echo "There is already: ${4##*/}" >> "$made.refused"; fi; return 1 ;;
    *"POST "*protected_branches*) add "branch $(sed 's/.*name=\([^ ]*\).*/\1/' <<< "$*")" ;;
    *protected_branches/*) has "branch ${2##*/}" && echo 42 ;;
    *"POST "*protected_environments*) add "environment $(named)" ;;
    *protected_environments/*) has "environment \"name\": \"${2##*/}\"" && echo 42 ;;
    *"POST "*approval_rules*any_approver*) add rule ;;
    *"POST "*approval_rules*) cat > /dev/null; add "rule reviewers" && echo 42 ;;
    *approval_rules) if has rule; then echo any; fi; if has "rule reviewers"; then echo reviewers; fi ;;
    "schedule create"*) add schedule ;;
    *pipeline_schedules) has schedule && echo 42 ;;
    "variable set LINTEL_ALLOWED_HOSTS"*) has "variable $3" && return 1; add "variable $3" ;;
    "variable set"*) cat > /dev/null; has "variable $3 ${!#}" && return 1; add "variable $3 ${!#}" ;;
    "variable update"*) has "variable $3 ${!#}" || has "variable $3" ;;
    *) echo 42 ;;
  esac
}
az() {
  case "$*" in
    "pipelines show"*--query*) echo 42 ;;
    "pipelines show"*) has pipeline ;;
    "pipelines create"*) add pipeline ;;
    "repos policy list"*requiredReviewerIds*) has owners && echo 42 || true ;;
    *"required-reviewer create"*) add owners ;;
    "repos policy list"*minimumApproverCount*) has votes && echo 42 || true ;;
    "repos policy list"*) has build && echo 42 || true ;;
    *"policy create --config"*) add votes ;;
    *"build create"*) add build ;;
    "repos show"*--query*) echo 42 ;;
    "repos ref list"*) ;;
    "repos show"*) has repository ;;
    "repos create"*) add repository ;;
    *"configurations --api"*allowedBranches*) has "check Task Check ${13}" && echo 42 || true ;;
    *"configurations --api"*ExclusiveLock*) has "check ExclusiveLock ${13}" && echo 42 || true ;;
    *"configurations --api"*) has "check Approval ${13}" && echo 42 || true ;;
    *"configurations --http-method POST"*)
      content=$(tr -d '\n' < "${12}")
      add "check $(sed 's/.*"name":"\(Task Check\|ExclusiveLock\|Approval\)".*/\1/' <<< "$content") resourceId=$(
        sed 's/^{"resource":{"type":"[a-z]*","id":"\([^"]*\)".*/\1/' <<< "$content")" ;;
    *"security group list"*) echo 42 ;;
    *"group list"*) has "group $5" && echo "$5" || true ;;
    *"group create"*) add "group $5"; echo "$5" ;;
    *"variable create"*) has "variable $6 $8" && return 1; add "variable $6 $8" ;;
    *"variable update"*) has "variable $6 $8" ;;
    *.project.url*) echo https://dev.azure.com/gis/_apis/projects/1 ;;
    *) echo 42 ;;
  esac
}
