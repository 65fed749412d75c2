import { useRouter } from '@tanstack/react-router';
import { useRef, type MouseEvent, type ReactNode } from 'react';

/** A pointer that rests so many milliseconds on a link is about to follow it. */
const REST_MS = 50;

interface AnchorProps {
  readonly urn: string;
  /** Whether the entity is asked for when a pointer rests on the link. */
  readonly early?: boolean;
  readonly className?: string;
  readonly title?: string;
  readonly children: ReactNode;
}

/**
 * A link to the page of an entity. Lists have many of them: those of the router compare themselves with the place
 * that is shown, each at every step.
 */
export function EntityAnchor({ urn, early = false, children, ...attributes }: AnchorProps) {
  const router = useRouter();
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const to = { to: '/entity', search: { urn } } as const;
  const rest = () => {
    resting.current = setTimeout(() => void router.preloadRoute(to), REST_MS);
  };
  const leave = () => clearTimeout(resting.current);
  const follow = (event: MouseEvent) => {
    // Browsers know what to do with the other buttons and keys.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    leave();
    void router.navigate(to);
  };
  return (
    <a
      href={`#/entity?${new URLSearchParams({ urn }).toString()}`}
      {...attributes}
      onClick={follow}
      {...(early && { onPointerEnter: rest, onPointerLeave: leave, onFocus: rest, onBlur: leave })}
    >
      {children}
    </a>
  );
}
