# Installs whatever is missing and prints one line per step. Sourced by ./start, ./test and ./inkproof; safe to run again.
#   ensure_installed [test]     system packages (with those of the checks), Node 24 and the npm packages
#   ensure_node_alone           Node 24 and the npm packages
#   ensure_built                the browser's part and the native parts, if their sources changed
# What is installed: setup/system-packages.txt and package-lock.json, nothing else.

# a failure without its own message still says where it happened
set -E
trap 'printf "Stopped: a step failed (%s, line %s).\n" "${BASH_SOURCE[0]:-$0}" "$LINENO" >&2' ERR

# the folder for each step's output
install_log=${TMPDIR:-/tmp}/inkproof-install-$(id -u)

say() { printf '%s\n' "$*" >&2; }
give_up() { say "$@"; exit 1; }

# Runs a long command, logging its output; prints the elapsed time every ten seconds. On failure shows the log's end.
#   with_progress LABEL LOGFILE COMMAND…
with_progress() {
  local label=$1 log=$2 began=$SECONDS pid status=0; shift 2
  "$@" >"$log" 2>&1 & pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    (( (SECONDS - began) % 10 )) || (( SECONDS == began )) || say "  … $label, $((SECONDS - began)) s$(progress_note "$log")"
  done
  wait "$pid" || status=$?
  if [ "$status" -ne 0 ]; then say "  $label failed (exit $status). The end of $log:"; tail -n 20 "$log" >&2; fi
  return "$status"
}

# apt's own percentage, if the log has one (see APT::Status-Fd)
progress_note() {
  local line; line=$(grep -aE '^(dl|pm)status:' "$1" 2>/dev/null | tail -n 1) || return 0
  case $line in
    dlstatus:*) printf ', downloading %.0f %%' "$(cut -d: -f3 <<<"$line")" ;;
    pmstatus:*) printf ', unpacking and setting up %.0f %%' "$(cut -d: -f3 <<<"$line")" ;;
  esac
}

# Lists packages. $1 = runtime: for running; test: all; otherwise for building and running.
wanted_packages() {
  awk -v want="${1:-}" '
    /^\[build\]/ { skip = want == "runtime"; next }
    /^\[test\]/ { skip = want != "test"; next }
    { sub(/#.*/, "") }
    NF && !skip { print $1 }' setup/system-packages.txt
}

missing_packages() {
  local package installed
  # one query for all: one for each took half a second
  installed=$(dpkg-query -W -f '${db:Status-Status} ${binary:Package}\n' $(wanted_packages "${1:-}") 2>/dev/null | sed -nE 's/^installed ([^:]*).*/ \1 /p' || true)
  for package in $(wanted_packages "${1:-}"); do
    case $package in
      # any Node that can run npm will do at first: it need not be the distribution's
      nodejs) command -v node >/dev/null && continue ;;
      npm) command -v npm >/dev/null && continue ;;
    esac
    case $installed in *" $package "*) ;; *) printf '%s ' "$package" ;; esac
  done
}

ensure_system_packages() {
  local missing as_root=''
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    # not Debian or Ubuntu: only the programs themselves can be checked
    local lacking='' program
    for program in node npm xelatex pdflatex lualatex luaotfload-tool xdvipdfmx bibtexu biber makeindex bwrap tesseract $([ "${1:-}" != test ] || echo chromium latexmk pdftotext); do
      command -v "$program" >/dev/null || lacking="$lacking $program"
    done
    [ -z "$lacking" ] || give_up "This set-up knows Debian and Ubuntu. Here, install what brings these programs, then run it again:$lacking
(On Debian they come from: $(wanted_packages "${1:-}" | tr '\n' ' '))"
    return 0
  fi
  missing=$(missing_packages "${1:-}")
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    # the compiler only makes things faster
    if ! command -v sudo >/dev/null && [ -z "$(tr ' ' '\n' <<<"$missing" | awk '!/^(gcc|libc6-dev|)$/')" ]; then
      say "Going on without a compiler. As root, for faster compiles: apt-get install --no-install-recommends $missing"
      return 0
    fi
    command -v sudo >/dev/null || give_up "These system packages are missing, and there is no sudo to install them with. As root, run:
  apt-get update && apt-get install --no-install-recommends $missing"
    as_root='sudo env DEBIAN_FRONTEND=noninteractive'
    sudo -v || give_up "Installing system packages needs sudo. Someone with it can run:
  apt-get update && apt-get install --no-install-recommends $missing"
  fi
  say "Installing $(wc -w <<<"$missing") system packages (TeX Live is most of it: about 1 GB on disk)."
  export DEBIAN_FRONTEND=noninteractive
  with_progress 'reading the package lists' "$install_log.update" $as_root apt-get -q update ||
    say '  The package lists could not be refreshed; trying with those that are here.'
  # the status goes to standard output, and so into the log: sudo closes other descriptors
  with_progress 'installing system packages' "$install_log.packages" \
    $as_root apt-get -q -y -o APT::Status-Fd=1 install --no-install-recommends $missing ||
    give_up "The system packages could not be installed. By hand: apt-get install --no-install-recommends $missing"
}

# npm skips optional packages, including native ones, that do not support the Node it runs on: with Debian's Node 18 the
# build would not find its parts. So an older Node first fetches the one of package.json, and npm with it.
ensure_node() {
  local node_version npm_version
  node_version=$(sed -nE 's/^ *"node": "([0-9.]+)".*/\1/p' package.json | head -n 1)
  npm_version=$(sed -nE 's/^ *"packageManager": "npm@([0-9.]+)".*/\1/p' package.json)
  [ "$(node -p 'process.versions.node.split(".")[0]')" -ge "${node_version%%.*}" ] && return 0
  if [ "$(.toolchain/node_modules/.bin/node -v 2>/dev/null)" != "v$node_version" ]; then
    say "Fetching Node $node_version (this system's is $(node -v))."
    mkdir -p .toolchain
    printf '{ "private": true, "dependencies": { "node": "%s", "npm": "%s" }, "allowScripts": { "node": true } }\n' \
      "$node_version" "$npm_version" >.toolchain/package.json
    with_progress 'fetching Node' "$install_log.node" npm install --prefix .toolchain --no-audit --no-fund --no-package-lock --loglevel=error ||
      give_up 'npm could not fetch Node; the log above says why.'
  fi
  PATH="$PWD/.toolchain/node_modules/.bin:$PATH"; export PATH
}

ensure_npm_packages() {
  local stamp=node_modules/.installed wanted
  wanted=$(cat package.json package-lock.json .npmrc | sha256sum | cut -d' ' -f1)
  [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && [ -x node_modules/.bin/node ] && return 0
  ensure_node
  # our Node trusts this system's certificates too, like the distribution's
  export NODE_USE_SYSTEM_CA=1
  # its install script would fetch libraries for GPUs; the CPU's is in the package
  export ONNXRUNTIME_NODE_INSTALL=skip
  say 'Installing the npm packages.'
  with_progress 'installing npm packages' "$install_log.npm" npm ci --no-audit --no-fund --loglevel=error ||
    give_up 'npm could not install the packages; the log above says why.'
  printf '%s' "$wanted" >"$stamp"
}

ensure_installed() {
  ensure_system_packages "${1:-}"
  ensure_node_alone
}

ensure_node_alone() {
  ensure_npm_packages
  PATH="$PWD/node_modules/.bin:$PATH"; export PATH
}

ensure_built() {
  ensure_native
  ensure_fonts
  ensure_pages
}

ensure_pages() {
  local stamp=build/.built wanted
  # by content: an edited file counts, a touched one does not
  wanted=$(find web shared latex package-lock.json vite.config.ts react-router.config.ts -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1)
  [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && [ -e build/client/index.html ] && return 0
  say 'Building the pages for the browser.'
  with_progress 'building' "$install_log.build" npm run --silent build || give_up 'The build failed; the log above says why.'
  printf '%s' "$wanted" >"$stamp"
}

# LuaLaTeX's font caches (typesetting/sandbox/prepare-fonts.ts). Without them each compile builds its own.
ensure_fonts() {
  local stamp=.native/.fonts wanted
  # a folder that this system lacks is not a failure
  wanted=$( (sed -nE 's/.*<dir>(.*)<\/dir>.*/\1/p' typesetting/texmf/fonts.conf | { xargs -I{} find {} -type f -printf '%p %s %T@\n' 2>/dev/null || true; } | LC_ALL=C sort
    lualatex --version; sha256sum typesetting/sandbox/prepare-fonts.ts) | sha256sum | cut -d' ' -f1)
  [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && [ -d .native/fonts ] && return 0
  mkdir -p .native
  if with_progress 'preparing fonts for LuaLaTeX' "$install_log.fonts" node typesetting/sandbox/prepare-fonts.ts; then
    printf '%s' "$wanted" >"$stamp"
  else
    say '  Going on without: LuaLaTeX will take longer.'
  fi
}

# The C files of typesetting/native: NAME.c with a main becomes .native/NAME, any other NAME.so. Not in build/,
# which building the pages empties. Without a compiler the product still runs: documents are compiled by the strategies
# and sandboxes that need neither.
ensure_native() {
  local out=.native stamp=.native/.built wanted source name part failed=''
  wanted=$( (uname -m; sha256sum typesetting/native/*.c setup/install.sh) | sha256sum | cut -d' ' -f1)
  [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return 0
  rm -f "$stamp"
  if ! command -v gcc >/dev/null; then
    say 'No gcc here: going on without the native parts (warm engines, and the sandbox for machines without bubblewrap).'
    return 0
  fi
  say 'Building the native parts.'
  mkdir -p "$out"
  : >"$install_log.native"
  for source in typesetting/native/*.c; do
    name=$(basename "$source" .c)
    if grep -q '^int main(' "$source"; then part=$name; set -- -fPIE -pie; else part=$name.so; set -- -fPIC -shared; fi
    # built next to its destination first: a server may be using the present one
    if gcc -std=gnu11 -O2 -Wall -Wextra -fstack-protector-strong -D_FORTIFY_SOURCE=2 "$@" -Wl,-z,relro,-z,now \
      -o "$out/.$part" "$source" -ldl >>"$install_log.native" 2>&1; then
      chmod 755 "$out/.$part" && mv -f "$out/.$part" "$out/$part"
    else
      rm -f "$out/.$part" "$out/$part"
      failed="$failed $part"
    fi
  done
  if [ -n "$failed" ]; then
    say "  Going on without$failed, which could not be built: $(awk '/error|No such file/ { print; exit }' "$install_log.native")"
  else
    printf '%s' "$wanted" >"$stamp"
  fi
}
