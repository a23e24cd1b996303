/** Posts whose composer opens in place of their panel, once. */
const wanted = new Set<string>()

/** The panel of this post that is opened next begins with its composer: it was made to be changed. */
export const editNext = (id: string): void => void wanted.add(id)

/** Whether that is wanted of a post. A panel may be begun twice before it is there. */
export const isEditNext = (id: string): boolean => wanted.has(id)

/** The panel is there. */
export const endEditNext = (id: string): void => void wanted.delete(id)
