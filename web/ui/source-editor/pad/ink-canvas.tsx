import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { maxInkStrokes } from '#shared/api/limits.ts';
import { addPoint, eraseAt, type Stroke } from './strokes.ts';

interface InkCanvasProps {
  strokes: readonly Stroke[];
  onChange: (strokes: readonly Stroke[]) => void;
}

const penWidth = 2.5;
/** The eraser's end of a pen, or its button (Pointer Events). */
const eraserButton = 32;

/** Squared paper to draw on: each stroke is reported when it ends. */
export function InkCanvas({ strokes, onChange }: InkCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<{ pointerId: number; isErasing: boolean; stroke: Stroke } | null>(null);
  /** A hand rests next to a pen, so fingers draw only until a pen is used. */
  const hasPen = useRef(false);
  const latest = useRef({ strokes, onChange });
  latest.current = { strokes, onChange };
  const [size, setSize] = useState({ width: 0, height: 0 });

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize({ width, height });
    });
    observer.observe(element);
    // the colours change with the theme
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => setSize((same) => ({ ...same }));
    scheme.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', redraw);
    };
  }, []);

  useEffect(() => {
    if (canvas.current && size.width > 0) paint(canvas.current, size, strokes);
  }, [strokes, size]);

  const placeOf = (event: PointerEvent | globalThis.PointerEvent): [number, number] => {
    const { left, top } = canvas.current!.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const follow = (event: PointerEvent) => {
    const now = drawing.current;
    if (!now || event.pointerId !== now.pointerId) return;
    if (now.isErasing) {
      const { strokes: drawn, onChange: change } = latest.current;
      const remaining = eraseAt(drawn, ...placeOf(event));
      if (remaining !== drawn) change(remaining);
      return;
    }
    const { nativeEvent } = event;
    const coalesced = nativeEvent.getCoalescedEvents?.() ?? [];
    const before = now.stroke.length;
    for (const part of coalesced.length > 0 ? coalesced : [nativeEvent])
      now.stroke = addPoint(now.stroke, ...placeOf(part));
    const context = canvas.current!.getContext('2d');
    if (context && now.stroke.length > before) draw(context, now.stroke.slice(Math.max(0, before - 2)));
  };
  const begin = (event: PointerEvent) => {
    if (event.pointerType === 'pen') hasPen.current = true;
    const isPalm = hasPen.current && event.pointerType === 'touch';
    if (drawing.current || isPalm || (event.button > 0 && (event.buttons & eraserButton) === 0)) return;
    event.preventDefault();
    canvas.current!.setPointerCapture(event.pointerId);
    const isErasing = (event.buttons & eraserButton) !== 0;
    drawing.current = { pointerId: event.pointerId, isErasing, stroke: [] };
    follow(event);
  };
  const end = (event: PointerEvent) => {
    const now = drawing.current;
    if (!now || event.pointerId !== now.pointerId) return;
    drawing.current = null;
    const { strokes: drawn, onChange: change } = latest.current;
    if (!now.isErasing && now.stroke.length > 0 && drawn.length < maxInkStrokes)
      change([...drawn, now.stroke]);
  };

  /** The system cancelled the pointer: what it drew was not writing. */
  const drop = (event: PointerEvent) => {
    if (event.pointerId !== drawing.current?.pointerId) return;
    drawing.current = null;
    setSize((same) => ({ ...same }));
  };

  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={
        strokes.length === 0
          ? 'The pad, empty'
          : `The pad, ${strokes.length} ${strokes.length === 1 ? 'stroke' : 'strokes'}`
      }
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={end}
      onPointerCancel={drop}
      className="squared-paper block h-80 w-full cursor-crosshair touch-none rounded-xl border border-hairline text-(--ink-wet) select-none max-sm:h-[34dvh]"
    />
  );
}

function paint(
  canvas: HTMLCanvasElement,
  size: { width: number; height: number },
  strokes: readonly Stroke[],
) {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(size.width * scale);
  canvas.height = Math.round(size.height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  context.strokeStyle = getComputedStyle(canvas).color;
  context.lineWidth = penWidth;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const stroke of strokes) draw(context, stroke);
}

function draw(context: CanvasRenderingContext2D, stroke: Stroke) {
  context.beginPath();
  context.moveTo(stroke[0]!, stroke[1]!);
  // a single point is a dot
  if (stroke.length === 2) context.lineTo(stroke[0]!, stroke[1]!);
  for (let at = 2; at < stroke.length; at += 2) context.lineTo(stroke[at]!, stroke[at + 1]!);
  context.stroke();
}
