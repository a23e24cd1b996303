/** This worker among others. */
export interface Workers {
  /** Of this worker, without a slash: the beginning of the owner of each of its leases. Begins with its id, a UUID, up to a dot. */
  name: string
  /** Whether a worker has ended for certain, as its process is no more. Never throws. */
  isGone(name: string): Promise<boolean>
  /** The name of the worker of that id; null where nothing is known of it. Never throws. */
  nameOf(id: string): Promise<string | null>
}

/** Where there is no room for its name. */
export const workerId = ({ name }: Pick<Workers, 'name'>): string => name.split('.')[0] ?? name
