import { useLingui } from '@lingui/react/macro'
import { Loader, UnstyledButton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SocialSet } from '#contract'
import { showError } from '../design/toast.tsx'
import { editNext } from '../post-set-actions/edit-next.ts'
import classes from './first-run.module.css'
import { createSamplePost, type Sample } from './sample-post.ts'
import citrus from './samples/citrus.jpg'
import latte from './samples/latte.jpg'
import pour from './samples/pour.jpg'

/** Pictures to begin with: each makes a draft with it, and opens it to be written. */
export function SamplePictures({ socialSet, enabled }: { socialSet: SocialSet; enabled: boolean }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const samples: Sample[] = [
    {
      name: 'latte.jpg',
      address: latte,
      altText: t`A cup of latte on a wooden table, seen from above`,
      caption: t`Good morning! The first cup is on us today.`,
    },
    {
      name: 'pour.jpg',
      address: pour,
      altText: t`Coffee drips through a filter into a glass jug`,
      caption: t`Three minutes, one quiet morning. How do you brew yours?`,
    },
    {
      name: 'citrus.jpg',
      address: citrus,
      altText: t`A glass of cold brew with slices of orange`,
      caption: t`Cold brew, a slice of orange, a lot of ice.`,
    },
  ]
  const creating = useMutation({
    mutationFn: (sample: Sample) => createSamplePost(socialSet, sample),
    onSuccess: ({ id }) => {
      editNext(id)
      return navigate({
        to: '/scheduling/calendar/$view',
        params: { view: 'month' },
        search: { set: socialSet.id, post: id },
      })
    },
    onError: showError,
  })
  return (
    <div className={classes.samples}>
      {samples.map((sample) => {
        const { name, address, altText } = sample
        return enabled ? (
          <UnstyledButton
            key={name}
            className={classes.sample}
            disabled={creating.isPending}
            aria-label={t`Begin a post with a picture: ${altText}`}
            onClick={() => creating.mutate(sample)}
          >
            {creating.isPending && creating.variables.name === name ? (
              <Loader size={18} />
            ) : (
              <img src={address} alt="" />
            )}
          </UnstyledButton>
        ) : (
          <span key={name} className={classes.sample}>
            <img src={address} alt="" />
          </span>
        )
      })}
    </div>
  )
}
