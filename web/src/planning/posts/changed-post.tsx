import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountType, NetworkDescription, PostChanges } from '#contract'
import { networkName } from '../../design/network-icon.tsx'
import { ErrorState, LoadingRows } from '../../design/states.tsx'
import { listOf } from '../../design/words.ts'
import { networksQuery } from '../brands/networks-query.ts'
import classes from './changes-shown.module.css'
import { fieldName } from './field-words.ts'
import { diffText } from './text-diff.ts'
import { fieldInWords, optionInWords } from './value-words.ts'

/** What a field was and became. */
interface FieldTexts {
  from: unknown
  to: unknown
  /** False: what it was is not kept. */
  fromKept?: boolean
  /** Changes whose difference it is. */
  together?: number
}

/** What the texts of a post are read by. */
export interface TextsOf {
  queryKey: readonly unknown[]
  read: (signal: AbortSignal) => Promise<Record<string, FieldTexts>>
}

interface ChangedPostProps {
  post: NonNullable<PostChanges['changed']>[number]
  texts: TextsOf
  /** It is open from the beginning. */
  isOpen?: boolean
}

/** A post that changed: the names of its fields, and what they were and became, which is read once it is opened. */
export function ChangedPost({ post: { accountType, names = [] }, texts, isOpen = false }: ChangedPostProps) {
  const [wanted, setWanted] = useState(isOpen)
  const network = networkName(accountType)
  const fields = listOf(names.map(wordsOf))
  return (
    <details className={classes.post} open={isOpen} onToggle={(event) => event.currentTarget.open && setWanted(true)}>
      <summary>
        {network}: {fields}
      </summary>
      {wanted && <Texts accountType={accountType} texts={texts} />}
    </details>
  )
}

function Texts({ accountType, texts: { queryKey, read } }: { accountType: AccountType; texts: TextsOf }) {
  const { data: networks, isPending } = useQuery(networksQuery)
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <ErrorState title={t`The texts could not be loaded`} error={error} onRetry={() => void refetch()} />
  if (!data || isPending) return <LoadingRows rows={1} label={t`Loading the texts…`} />
  const network = networks?.find((each) => each.accountType === accountType)
  const fields = Object.entries(data)
  if (fields.length === 0)
    return (
      <p className={classes.note}>
        <Trans>It is back to what it was.</Trans>
      </p>
    )
  return fields.map(([name, field]) => (
    <FieldChange
      key={name}
      name={name}
      {...field}
      texts={textsOf({ accountType, network }, name, field)}
      alone={fields.length === 1}
    />
  ))
}

const wordsOf = (name: string) =>
  name === 'caption' ? t`Caption` : name === 'media' ? t`Pictures and videos` : fieldName(name)

/** `alone`: its name stands above it already. */
function FieldChange({
  name,
  from,
  to,
  fromKept = true,
  together = 1,
  texts: [before, after],
  alone,
}: FieldTexts & { name: string; texts: readonly [string | null, string | null]; alone: boolean }) {
  const isText = before !== null && after !== null
  return (
    <>
      {(!alone || !isText) && (
        <p className={classes.note}>
          {wordsOf(name)}
          {name === 'media' && fromKept ? ` (${mediaWords(from, to)})` : null}
        </p>
      )}
      {together > 1 && (
        <p className={classes.note}>
          <Plural
            value={together - 1}
            one="Together with # other change. The texts in between are no longer kept."
            other="Together with # other changes. The texts in between are no longer kept."
          />
        </p>
      )}
      {!fromKept && (
        <p className={classes.note}>
          <Trans>The earlier text is no longer kept.</Trans>
        </p>
      )}
      {isText && (
        <p className={classes.diff} dir="auto">
          {fromKept ? <Difference before={before} after={after} /> : after}
        </p>
      )}
    </>
  )
}

function Difference({ before, after }: { before: string; after: string }) {
  return diffText(before, after).map(({ kind, text }, index) =>
    kind === 'same' ? (
      text
    ) : kind === 'gone' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
      <del key={index}>
        <VisuallyHidden>{t`Removed:`} </VisuallyHidden>
        {text}
      </del>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
      <ins key={index}>
        <VisuallyHidden>{t`Added:`} </VisuallyHidden>
        {text}
      </ins>
    ),
  )
}

interface Where {
  accountType: AccountType
  network: NetworkDescription | undefined
}

/** A field before and after, in words; null of what has none. Of settings those that were changed. */
function textsOf(where: Where, name: string, { from, to }: FieldTexts): [string | null, string | null] {
  if (name === 'caption') return [String(from ?? ''), String(to ?? '')]
  if (name === 'media' || name === 'thread' || name === 'richCaption') return [null, null]
  if (name !== 'options') return [fieldText(where, name, from), fieldText(where, name, to)]
  const [before, after] = [settings(from), settings(to)]
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (option) => JSON.stringify(before[option] ?? null) !== JSON.stringify(after[option] ?? null),
  )
  return [optionsText(where, changed, before), optionsText(where, changed, after)]
}

const fieldText = ({ network }: Where, name: string, value: unknown) => fieldInWords(network, name, value).value

const settings = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>

/** One line for each that was chosen. */
function optionsText(
  { accountType, network }: Where,
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
) {
  return names
    .map((option) => optionInWords(accountType, network, option, values[option] ?? null))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${name}: ${value ?? t`Chosen`}`)
    .join('\n')
}

function mediaWords(from: unknown, to: unknown): string {
  const count = (files: unknown) => (Array.isArray(files) ? files.length : 0)
  const [before, after] = [count(from), count(to)]
  return before === after ? t`changed` : t`from ${before} to ${after}`
}
