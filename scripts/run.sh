#!/bin/sh
# Runs a command with the Node and the packages this project pins, and installs those first where they are missing.
# usage: sh scripts/run.sh COMMAND [ARG ...], from the project's folder
set -eu

# Whether npm's own record of what it installed has every package of the lockfile that is for this system, by any Node.
installed() {
  node -e '
    const { readFileSync } = require("fs")
    const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages
    const there = packagesOf("node_modules/.package-lock.json")
    const isForHere = ({ cpu, libc, optional, os }) =>
      !optional || (libc === undefined && os && os.includes(process.platform) && cpu && cpu.includes(process.arch))
    for (const [path, wanted] of Object.entries(packagesOf("package-lock.json"))) {
      if (path === "" || wanted.link || !isForHere(wanted)) continue
      const found = there[path]
      if (!found || found.version !== wanted.version || found.integrity !== wanted.integrity) process.exit(1)
    }
  ' 2>/dev/null
}

stamp=node_modules/.overture-lock
if ! cmp -s package-lock.json "$stamp" && installed; then
  cp package-lock.json "$stamp"
fi
if ! cmp -s package-lock.json "$stamp"; then
  echo "Setting up: installing the packages of package-lock.json (npm ci)" >&2
  npm ci --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json "$stamp"
fi

PATH="$PWD/node_modules/.bin:$PATH"
# Node keeps what it compiled, so that the next start takes half of the time.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/node}"
# The pinned Node needs no check, which takes as long as `overture --version`.
if ! [ -x node_modules/.bin/node ] &&
  ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)'; then
  echo "Overture needs Node 22.19 or newer on this system; found $(node --version)" >&2
  exit 1
fi

# usage: stale MADE SOURCE ...: whether MADE is missing or older than a source
stale() {
  made=$1
  shift
  [ ! -e "$made" ] || [ -n "$(find "$@" -newer "$made" | head -n 1)" ]
}

# The commands below serve the console or test it.
case " $* " in
  *" serve "* | *" vitest "* | *screenshots*)
    if stale dist/console/manifest.json console client schema scripts/console.ts package-lock.json; then
      node scripts/console.ts
    fi
    ;;
esac

# The program runs from a bundle of its sources, or from the sources if they cannot be bundled.
if [ "$1" = overture ]; then
  shift
  if stale dist/bundle/started src layers schema client scripts/bundle.ts package-lock.json; then
    echo "Bundling the sources" >&2
    node scripts/bundle.ts || exec node src/main.ts "$@"
  fi
  # Node reserves 16 MB for each half of its young objects; 4 MB make an idle server 16 MB smaller and none slower.
  exec node --max-semi-space-size=4 dist/bundle/main.mjs "$@"
fi
exec "$@"
