/** A guest of a shared calendar who gets mail, as of now. */
export interface NewsGuest {
  id: string
  name: string
  email: string
  /** BCP 47; null: not known. */
  locale: string | null
  /** Is addressed formally. */
  formal: boolean
  /** Social sets that the guest's link shows. */
  socialSetIds: readonly string[]
  /** Address of a post set in the shared calendar, or of all of it (null): opens without an account, and is never logged. */
  urlOf(postSetId: string | null): string
}

/** Who guests are. Those who may get no mail now are left out: not confirmed, or the link is closed or over. */
export interface NewsGuests {
  find(ids: readonly string[]): Promise<readonly NewsGuest[]>
}
