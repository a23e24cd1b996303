// Files that are being sent, kept in this browser: a page that is loaded again goes on without asking for them.

const STORE = 'files'
/** Larger ones are asked for again: a browser copies what it keeps. */
const MOST_BYTES = 200_000_000

/** Resolves when it is kept, or cannot be: then the person is asked for it after a reload. */
export async function keepFile(key: string, file: File): Promise<void> {
  if (file.size > MOST_BYTES) return
  await inStore('readwrite', (store) => store.put(file, key))
}

export async function readFile(key: string): Promise<File | null> {
  const found = await inStore('readonly', (store) => store.get(key))
  return found instanceof File ? found : null
}

export async function forgetFile(key: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(key))
}

/** The answer of the request; null where the browser keeps nothing. */
async function inStore(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  try {
    const opening = indexedDB.open('almanac-uploads', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    const database = (await done(opening)) as IDBDatabase
    try {
      return await done(ask(database.transaction(STORE, mode).objectStore(STORE)))
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}

function done(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
