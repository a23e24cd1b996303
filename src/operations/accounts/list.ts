import { type Database, type ListedAccount, listAccounts } from '#persistence'

/** All accounts with their social sets: the ids that other commands of the operator take. */
export function listAccountsForOperator({ db }: { db: Database }): Promise<ListedAccount[]> {
  return listAccounts(db)
}
