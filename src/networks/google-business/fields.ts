/** Values of `ctaType`; all but NONE and CALL lead to an address. They are Google's own words. */
export const CTA_TYPES = ['NONE', 'SIGN_UP', 'CALL', 'SHOP', 'LEARN_MORE', 'ORDER', 'BOOK'] as const
export type CtaType = (typeof CTA_TYPES)[number]

/** The fields of a GMB post of the interface. */
export interface Fields {
  ctaType: CtaType
  /** Null when absent or blank. */
  ctaUrl: string | null
}

/** Reads the fields of a post whose shape is checked. */
export function fieldsOf(fields: Readonly<Record<string, unknown>>): Fields {
  const { ctaType, ctaUrl } = fields
  return {
    ctaType: ctaType as CtaType,
    ctaUrl: typeof ctaUrl === 'string' && ctaUrl.trim() !== '' ? ctaUrl.trim() : null,
  }
}

/** Whether a button of this type leads to an address. CALL dials the number of the profile. */
export const leadsToAddress = (type: CtaType): boolean => type !== 'NONE' && type !== 'CALL'

export interface CallToAction {
  actionType: Exclude<CtaType, 'NONE'>
  url?: string
}

/** The button as Google takes it: none for NONE, and CALL must have no address. */
export function callToActionOf(fields: Readonly<Record<string, unknown>>): CallToAction | undefined {
  const { ctaType, ctaUrl } = fieldsOf(fields)
  if (ctaType === 'NONE') return undefined
  return { actionType: ctaType, ...(leadsToAddress(ctaType) && ctaUrl !== null ? { url: ctaUrl } : {}) }
}
