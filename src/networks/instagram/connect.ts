import type { Connect } from '../network.ts'

/**
 * How accounts of this network are connected. A Page's token, derived from a long-lived user token, has no end and
 * cannot be refreshed: it dies with a changed password, a lost role or the removed app, and then the account is
 * connected again (https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived, read
 * 2026-11-21). The network knows no passwords for programs.
 */
export const connect: Connect = { refresh: null }
