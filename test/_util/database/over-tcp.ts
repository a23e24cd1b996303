/** The address of an embedded server by which it is reached through a port, as other servers are: behind a proxy, in URLs. */
export const overTcp = (url: string): string => Object.assign(new URL(url), { hostname: '127.0.0.1' }).href
