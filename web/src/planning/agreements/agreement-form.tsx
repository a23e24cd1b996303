import '../../design/more-styles.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Checkbox, Select, Switch, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import type { MediaType, NetworkDescription, PostOptions } from '#contract'
import { networkName } from '../../design/network-icon.tsx'
import { wordsOfOption } from '../../language/server-words.ts'
import classes from './agreement.module.css'
import { type AgreeingNetwork, askedOptions, type Decided, excludes, isDisclosing } from './agreement.ts'
import type { AskedAccount } from './use-asked-accounts.ts'

interface AgreementFormProps {
  network: AgreeingNetwork
  asked: AskedAccount | undefined
  decided: Decided
  media: readonly { type: MediaType }[]
  /** How many posts it counts for. */
  posts: number
  /** What is wrong with an option. */
  errorAt: (option: string) => string | null
  onChange: (decided: Decided) => void
}

type Option = NetworkDescription['options'][number]

/** What people decide for each post: who sees it, what others may do with it, and what has to be disclosed. */
export function AgreementForm(props: AgreementFormProps) {
  const { network, asked, decided, media, posts, errorAt, onChange } = props
  const { t } = useLingui()
  const { accountType, agreement } = network
  const name = networkName(accountType)
  const { options } = decided
  const [cleared, setCleared] = useState<string | null>(null)
  const hasVideo = media.length === 0 ? null : media.some(({ type }) => type === 'VIDEO')
  const { lists, switches } = askedOptions(network, hasVideo)
  const disclosing = isDisclosing(decided, agreement)
  const { disclosure } = agreement
  const set = (changes: PostOptions, discloses: boolean | undefined = decided.discloses) => {
    const next = { ...options, ...changes }
    const gone = agreement.exclusions.filter(
      (each) => next[each.option] === each.value && excludes(agreement, next, each.option, each.value) !== null,
    )
    setCleared(gone[0]?.message ?? null)
    onChange({
      options: { ...next, ...Object.fromEntries(gone.map(({ option }) => [option, null])) },
      ...(discloses === undefined ? {} : { discloses }),
    })
  }
  const label = disclosure.labels.find(({ option }) => options[option] === true)
  const isMissing = disclosing && !label
  return (
    <section className={classes.form} aria-label={t`Decisions for ${name}`} data-agreement>
      {posts > 1 && (
        <Text size="sm">
          <Plural
            value={posts}
            one="What you choose here is for # post."
            other="What you choose here is for all # posts."
          />
        </Text>
      )}
      {lists.map((option) => (
        <OfferedList
          key={option.name}
          option={wordsOfOption(accountType, option)}
          offered={asked?.data?.offered.find((each) => each.option === option.name)?.values ?? []}
          value={typeof options[option.name] === 'string' ? String(options[option.name]) : null}
          whyNot={(value) => excludes(agreement, options, option.name, value)}
          error={errorAt(option.name)}
          onChange={(value) => set({ [option.name]: value })}
        />
      ))}
      {cleared !== null && (
        <Text size="sm" role="status">
          <Trans>The choice above was cleared.</Trans>{' '}
          <span lang="en" data-untranslated>
            {cleared}
          </span>
        </Text>
      )}
      <fieldset className={classes.group} style={{ border: 0, padding: 0, margin: 0 }}>
        <Text component="legend" size="sm" fw={500} mb={8}>
          <Trans>What others may do</Trans>
        </Text>
        {switches.map((each) => {
          const { name: option, title } = wordsOfOption(accountType, each)
          const isOff = asked?.data?.switchedOff.includes(option) ?? false
          return (
            <Switch
              key={option}
              size="sm"
              label={title}
              disabled={isOff}
              {...(isOff ? { description: t`Switched off for the whole account on ${name}` } : {})}
              error={errorAt(option)}
              checked={!isOff && options[option] === true}
              onChange={({ currentTarget: { checked } }) => set({ [option]: checked })}
            />
          )
        })}
      </fieldset>
      <div className={classes.group} lang="en" dir="ltr" data-untranslated>
        <Switch
          size="sm"
          label={disclosure.title}
          description={disclosure.description}
          checked={disclosing}
          onChange={({ currentTarget: { checked } }) =>
            set(Object.fromEntries(disclosure.options.map(({ option }) => [option, false])), checked)
          }
        />
        {disclosing && (
          <div className={classes.boxes}>
            {disclosure.options.map(({ option, title, description }) => (
              <Checkbox
                key={option}
                size="sm"
                label={title}
                description={description}
                checked={options[option] === true}
                onChange={({ currentTarget: { checked } }) => set({ [option]: checked }, true)}
              />
            ))}
            <Text size="sm" role="status" {...(isMissing ? { c: 'red' } : {})}>
              {isMissing ? disclosure.missing : hasVideo === false ? label?.image : label?.video}
            </Text>
          </div>
        )}
      </div>
    </section>
  )
}

interface OfferedListProps {
  option: Option
  offered: readonly string[]
  value: string | null
  /** Why a value cannot be chosen now; null when it can. */
  whyNot: (value: string) => string | null
  error: string | null
  onChange: (value: string | null) => void
}

/** Exactly what the network offers the account, and nothing of it chosen. */
function OfferedList({ option, offered, value, whyNot, error, onChange }: OfferedListProps) {
  const { t } = useLingui()
  const { title, description, titles } = option
  const data = offered.map((each) => ({ value: each, label: titles?.[each] ?? each, disabled: whyNot(each) !== null }))
  // Another account chose it, or this one as it was.
  if (value !== null && !offered.includes(value)) data.push({ value, label: t`No longer offered`, disabled: true })
  const excluded = offered.map(whyNot).find((why) => why !== null)
  return (
    <Select
      size="sm"
      label={title}
      withAsterisk
      placeholder={t`Choose`}
      description={
        excluded ? (
          <span lang="en" data-untranslated>
            {excluded}
          </span>
        ) : (
          description
        )
      }
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={data}
      value={value}
      onChange={onChange}
      allowDeselect={false}
      renderOption={({ option: { value: each, label } }) => {
        const why = whyNot(each)
        return why === null ? (
          label
        ) : (
          <Tooltip label={<span lang="en">{why}</span>} events={{ hover: true, focus: true, touch: true }} withArrow>
            <span style={{ flex: 1 }}>{label}</span>
          </Tooltip>
        )
      }}
    />
  )
}
