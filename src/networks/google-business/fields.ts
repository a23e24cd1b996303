import { accountTypeEntry } from '#contract'

/** Values of `ctaType`, in Google's own words. */
export const CTA_TYPES = ['NONE', 'SIGN_UP', 'CALL', 'SHOP', 'LEARN_MORE', 'ORDER', 'BOOK'] as const
type CtaType = (typeof CTA_TYPES)[number]

/** The fields of a GMB post whose shape is checked. `ctaUrl`: null when absent or blank. */
export const fieldsOf = ({ ctaType, ctaUrl }: Readonly<Record<string, unknown>>) => ({
  ctaType: ctaType as CtaType,
  ctaUrl: typeof ctaUrl === 'string' && ctaUrl.trim() !== '' ? ctaUrl.trim() : null,
})

const { when } = accountTypeEntry('GMB').fields.ctaUrl ?? {}

/** Whether a button of this type leads to an address. CALL dials the number of the profile. */
export const leadsToAddress = (type: CtaType): boolean => when?.values.includes(type) === true

/** The button as Google takes it: none for NONE, and CALL must have no address. */
export function callToActionOf(fields: Readonly<Record<string, unknown>>) {
  const { ctaType, ctaUrl } = fieldsOf(fields)
  if (ctaType === 'NONE') return undefined
  return { actionType: ctaType, ...(leadsToAddress(ctaType) && ctaUrl !== null ? { url: ctaUrl } : {}) }
}
