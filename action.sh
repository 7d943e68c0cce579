# What the actions of this repository share (action.yml, spec-check/action.yml, watch/action.yml): their steps source it, and run nothing else.

unjudged() {
  echo "::error title=AIPS::$1"
  echo 'aips could not judge: see the log.' >> "$GITHUB_STEP_SUMMARY"
  printf 'status=2\nreport=%s\n' "$AIPS_REPORT" >> "$GITHUB_OUTPUT"
  exit 2
}

# Trims the inputs of these names: an expression in a workflow may leave nothing but spaces and line breaks, which is no value.
trim() {
  local input name value
  for input in REPORT TIMEOUT ARGS "$@"; do
    name="AIPS_$input"
    value="${!name}"
    value="${value#"${value%%[![:space:]]*}"}"
    printf -v "$name" '%s' "${value%"${value##*[![:space:]]}"}"
  done
  AIPS_REPORT="${AIPS_REPORT:-aips-report}"
  AIPS_TIMEOUT="${AIPS_TIMEOUT:-30}"
}

# Adds an option to the arguments, unless its value is empty.
option() { [ -z "$2" ] || args+=("$1" "$2"); }

# Adds the words of an input, quoted as for a shell. xargs knows quotes and, unlike eval, runs nothing and expands nothing.
words() {
  local split word
  [ -n "$2" ] || return 0
  split=$(printf '%s' "$2" | xargs printf '%s\n') || unjudged "$1 cannot be read: is a quote missing?"
  while IFS= read -r word; do args+=("$word"); done <<< "$split"
}

# Builds aips where it is not, and runs it with the arguments: judge SUMMARY [AFTERWARDS], a file in the folder of the reports, and a function that
# may raise the status. Sets the outputs, and exits with the status.
judge() {
  local aips summary="$AIPS_REPORT/$1" limit=() token status=0
  [[ "$AIPS_TIMEOUT" =~ ^[1-9][0-9]*$ ]] || unjudged 'timeout-minutes must be a whole number from 1.'
  words args "$AIPS_ARGS"
  aips="$AIPS_ROOT/dist/cli/aips.js"
  if [ ! -f "$aips" ]; then
    (cd "$AIPS_ROOT" && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build) ||
      unjudged 'aips cannot be built: see the log.'
  fi
  # TERM lets a run write what it has judged.
  ! command -v timeout > /dev/null || limit=(timeout --preserve-status --kill-after=60 "${AIPS_TIMEOUT}m")
  rm -f "$summary" "$AIPS_REPORT/diff.md" "$AIPS_REPORT/annotations.txt"
  # Until the token comes again, no line of the output is taken for a command of the runner.
  token="aips-$RANDOM$RANDOM$RANDOM"
  echo "::stop-commands::$token"
  ${limit[@]+"${limit[@]}"} node "$aips" "${args[@]}" || status=$?
  [ "$status" -le 2 ] || status=2
  ${2:-true}
  echo "::$token::"
  [ -f "$summary" ] || unjudged 'The run ended without a report: see the log.'
  [ ! -f "$AIPS_REPORT/annotations.txt" ] || cat "$AIPS_REPORT/annotations.txt"
  cat "$summary" >> "$GITHUB_STEP_SUMMARY"
  printf 'status=%s\nreport=%s\n' "$status" "$AIPS_REPORT" >> "$GITHUB_OUTPUT"
  exit "$status"
}
