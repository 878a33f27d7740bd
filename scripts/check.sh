#!/bin/sh
# Everything that reads the code without running it. Run through `npm run check`.
set -eu
oxfmt --check
oxlint --deny-warnings
tsc -p tsconfig.json
effect-tsgo diagnostics --strict --project tsconfig.json

# Words that read as foreign or have a standard term. Reports of measurements keep their quotations.
words='whoever|anew|nobody|somebody|told|goes on|takes home|at hand|of itself|left alone|lies in|speaks of|rests on|by its own|as it is due'
public='README.md SECURITY.md docs schema client'
for each in $(git ls-files $public | grep -vE '^docs/(screens/|maintainers/(benchmarks|evaluation|speed)\.)'); do
  if grep -HniwE "$words" "$each"; then found=yes; fi
done
# In code, comments and sentences in strings are checked.
prose=$(git ls-files 'layers/*.ts' 'src/*.ts' 'console/*.ts' 'console/*.tsx' 'scripts/*.ts' 'test/*.ts' | xargs node scripts/prose.ts)
if printf '%s\n' "$prose" | grep -iwE "$words"; then found=yes; fi
if [ "${found-}" = yes ]; then
  echo "Rewrite these sentences in plain English: the words above are not used" >&2
  exit 1
fi
