// scripts/FunctionLength.ts: the lint rule that a function has at most 60 lines. A function inside it that has a name is
// counted on its own, so a service may be one function that names its methods.

const maxLines = 60

interface Node {
  readonly type: string
  readonly parent: Node | null
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
}

interface Context {
  readonly report: (found: { readonly node: Node; readonly message: string }) => void
}

const namingNodes = new Set(["VariableDeclarator", "Property", "PropertyDefinition", "MethodDefinition"])

/** Whether it has a name, directly or through a call, as in `const save = Effect.fnUntraced(function* () {})`. */
const isNamed = (node: Node) => {
  if (node.type === "FunctionDeclaration") return true
  let outer = node.parent
  while (outer !== null && (outer.type === "CallExpression" || outer.type === "MemberExpression")) outer = outer.parent
  return outer !== null && namingNodes.has(outer.type)
}

const create = (context: Context) => {
  /** For each open function, the lines of the named functions inside it. */
  const namedLines: Array<number> = []
  const enter = () => void namedLines.push(0)
  const leave = (node: Node) => {
    const inner = namedLines.pop() ?? 0
    const totalLines = node.loc.end.line - node.loc.start.line + 1
    const outer = namedLines.length - 1
    if (outer >= 0) namedLines[outer] = (namedLines[outer] ?? 0) + (isNamed(node) ? totalLines : inner)
    const ownLines = totalLines - inner
    if (ownLines > maxLines) {
      const message = `The function has ${ownLines} lines of its own; at most ${maxLines} are allowed. Split it into parts with names.`
      context.report({ node, message })
    }
  }
  return {
    ArrowFunctionExpression: enter,
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    "FunctionDeclaration:exit": leave,
    "FunctionExpression:exit": leave
  }
}

export default { meta: { name: "overture" }, rules: { "function-length": { create } } }
