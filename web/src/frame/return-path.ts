/** Where members land who came for nothing special. */
export const HOME = '/'

const PUBLIC = /^\/(sign-in|setup|forgot-password|reset-password|confirm-email|invitation)(?![^/?#])/

/**
 * The path to go on to after signing in: one of the dashboard, as the router knows it (without what it lies below).
 * Anything else, an address of another site above all, becomes the calendar.
 */
export function safeReturnPath(wanted: string | undefined): string {
  if (!wanted?.startsWith('/')) return HOME
  const here = 'https://dashboard.invalid'
  const address = URL.parse(wanted, here)
  // Backslashes, control characters and double slashes lead elsewhere in some browsers; such a path is none of ours.
  if (address?.origin !== here || address.pathname.startsWith('//') || /[\\\s]/.test(wanted)) return HOME
  const path = address.pathname + address.search + address.hash
  return path === '/' || PUBLIC.test(path) ? HOME : path
}
