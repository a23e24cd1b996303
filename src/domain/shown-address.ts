/**
 * An address of the web as it is kept and shown where it was imported from: without its query and its fragment, which may open
 * something for those who read it.
 */
export const shownAddress = (address: string): string => address.split(/[?#]/, 1)[0] ?? ''
