import classes from './list.module.css'
import { useScene } from './scene.ts'

/** Labels by color and name. Those that are gone are left out. */
export function LabelNames({ ids }: { ids: readonly string[] }) {
  const { labels } = useScene()
  return (
    <span className={classes.labels}>
      {ids
        .flatMap((id) => labels.get(id) ?? [])
        .map(({ id, name, color }) => (
          <span key={id} className={classes.label}>
            <span className={classes.dot} style={{ background: color ?? undefined }} aria-hidden />
            {name}
          </span>
        ))}
    </span>
  )
}
