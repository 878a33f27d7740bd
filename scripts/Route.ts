// scripts/Route.ts: a path as one tells of it: without its ids and its query.

export const routeOf = (path: string) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id").replace(/\?.*/, "")
