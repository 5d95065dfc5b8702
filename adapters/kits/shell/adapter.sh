#!/bin/sh
# Adapter kit for memassay, in POSIX sh: for programs that answer one question and end.
#
#   memassay run --program 'sh adapter.sh'
#
# The runner starts this once a case, with the op as last argument (and in MEMASSAY_OP), the case's
# args as JSON on stdin. Print the result as JSON. Exit 75 with a reason on stderr to skip the case,
# exit 64 for an op that you do not have, anything else but 0 is an error. `--ops` lists your ops.
#
# sh has no JSON. This kit reads the one shape that its one op needs, {"path": "…"}, byte by byte
# with od. For ops with more arguments call a program of yours, or take the Python or Node kit.

set -eu
LC_ALL=C
export LC_ALL

# Prints the UTF-16 code units of the JSON string on stdin, as decimal numbers: what JavaScript's
# charCodeAt gives. Stops at the closing quote.
units_of_json_string() {
  state=plain left=0 code=0
  for octal in $(od -An -v -to1); do
    byte=$((0$octal))
    case $state in
    plain)
      if [ "$left" -gt 0 ]; then # inside a UTF-8 sequence
        code=$((code * 64 + byte % 64)) left=$((left - 1))
        [ "$left" -eq 0 ] || continue
        if [ "$code" -lt 65536 ]; then
          echo "$code"
        else # outside the basic plane: two units
          code=$((code - 65536))
          echo "$((55296 + code / 1024)) $((56320 + code % 1024))"
        fi
      elif [ "$byte" -ge 240 ]; then code=$((byte % 8)) left=3
      elif [ "$byte" -ge 224 ]; then code=$((byte % 16)) left=2
      elif [ "$byte" -ge 192 ]; then code=$((byte % 32)) left=1
      elif [ "$byte" -eq 92 ]; then state=escape
      elif [ "$byte" -eq 34 ]; then return
      else echo "$byte"; fi
      ;;
    escape)
      state=plain
      case $byte in
      117) state=hex left=4 code=0 ;; # \uXXXX is one unit as it stands
      98) echo 8 ;;
      102) echo 12 ;;
      110) echo 10 ;;
      114) echo 13 ;;
      116) echo 9 ;;
      *) echo "$byte" ;;
      esac
      ;;
    hex)
      if [ "$byte" -ge 97 ]; then byte=$((byte - 32)); fi
      if [ "$byte" -ge 65 ]; then byte=$((byte - 7)); fi
      code=$((code * 16 + byte - 48)) left=$((left - 1))
      if [ "$left" -eq 0 ]; then
        echo "$code"
        state=plain
      fi
      ;;
    esac
  done
}

# project_key: rules KEY-1 and KEY-2. An example; call your own code instead.
project_key() {
  count=0 hash=0 key=
  before='^ *{[[:space:]]*"path"[[:space:]]*:[[:space:]]*"'
  for unit in $({ tr '\n' ' ' && echo; } | sed "s/$before//" | units_of_json_string); do
    hash=$(((hash * 31 + unit) % 4294967296)) count=$((count + 1))
    [ "$count" -le 200 ] || continue
    if { [ "$unit" -ge 48 ] && [ "$unit" -le 57 ]; } ||
      { [ "$unit" -ge 65 ] && [ "$unit" -le 90 ]; } ||
      { [ "$unit" -ge 97 ] && [ "$unit" -le 122 ]; }; then
      key="$key$(escape "$unit")"
    else
      key="$key-"
    fi
  done
  [ "$count" -le 200 ] || key="$key-$(base36 "$hash")"
  printf "{\"key\": \"$key\"}\n" # the format turns \101 into A
}

# An ASCII code as printf writes it in a format: 65 gives \101.
escape() {
  printf '\\%s' "$(($1 / 64))$(($1 / 8 % 8))$(($1 % 8))"
}

# The absolute value of a signed 32-bit number, given unsigned, in base 36, as printf escapes.
base36() {
  number=$1 text=
  if [ "$number" -ge 2147483648 ]; then number=$((4294967296 - number)); fi
  while [ "$number" -gt 0 ] || [ -z "$text" ]; do
    digit=$((number % 36)) number=$((number / 36))
    if [ "$digit" -ge 10 ]; then digit=$((digit + 39)); fi # 10 is a, 97 in ASCII
    text="$(escape $((digit + 48)))$text"
  done
  printf '%s' "$text"
}

# The op is the last argument.
for op in "${MEMASSAY_OP-}" "$@"; do :; done
case $op in
--ops) echo project_key ;; # one a line: add yours here, and a branch below
project_key) project_key ;;
*)
  echo "this adapter has no op $op" >&2
  exit 64
  ;;
esac
