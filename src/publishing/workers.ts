/** This worker among others. */
export interface Workers {
  /** Of this worker, without a slash: the beginning of the owner of each of its leases. */
  name: string
  /** Whether a worker has ended for certain, as its process is no more. Never throws. */
  isGone(name: string): Promise<boolean>
}
