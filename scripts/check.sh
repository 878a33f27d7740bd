#!/bin/sh
# Everything that reads the code without running it. Run through `npm run check`.
set -eu
oxfmt --check
oxlint --deny-warnings
tsc -p tsconfig.json
effect-tsgo diagnostics --strict --project tsconfig.json
