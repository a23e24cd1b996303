import { type Database, type ListedAccount, listAccounts } from '#persistence'

/** All accounts with their social sets: the ids that the operator's other commands take. */
export function listAccountsForOperator({ db }: { db: Database }): Promise<ListedAccount[]> {
  return listAccounts(db)
}
