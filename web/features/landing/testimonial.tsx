import { findTestimonial } from './find-testimonial.ts';

const testimonial = findTestimonial(
  import.meta.glob('/content/testimonial.json', { eager: true, import: 'default' }),
);

/** The testimonial in `content/testimonial.json`; renders nothing without it. */
export function Testimonial() {
  if (!testimonial) return null;
  const { quote, name, role } = testimonial;
  return (
    <figure className="grid gap-6 border-t border-hairline py-16 sm:py-24">
      <blockquote className="max-w-4xl font-serif text-2xl leading-snug tracking-tight sm:text-4xl">
        <p>“{quote}”</p>
      </blockquote>
      <figcaption className="text-graphite">
        <span className="font-medium text-ink">{name}</span>
        {role && `, ${role}`}
      </figcaption>
    </figure>
  );
}
