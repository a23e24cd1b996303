/** What a meta element of the page says; the server fills it in. */
function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}

/** The path that Almanac lies below, without a slash at its end: empty, or `/almanac`. */
export const basePath = metaContent('almanac-base').replace(/\/+$/, '')

/** The path of the dashboard itself. Addresses within it, as the router knows them, begin after it. */
export const dashboardPath = `${basePath}/dashboard`

/** Lets style elements that components make pass the security policy. */
export const styleNonce = metaContent('csp-nonce')
