// layers/text/Cut.ts: as much of a text as there is room for, and no half of a letter at its end.

export const cut = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, "")
