/**
 * The only access to ONNX Runtime, whose builds send reports to their vendor unless that is turned off before they
 * start (docs/decisions/091-what-leaves-the-machine.md). It reads the variable from the process's own environment, so
 * it is set here, where the library is loaded: no process that uses it can forget to pass it on.
 */
import { isMainThread } from 'node:worker_threads';
import type { InferenceSession } from 'onnxruntime-node';
import { thrifty } from '#platform/work/memory.ts';

// a thread's process.env is a copy, invisible to native code
if (!isMainThread) throw new Error('ONNX Runtime is loaded in a process of its own, never in a thread');
process.env.ORT_DISABLE_TELEMETRY = '1';
const runtime = await import('onnxruntime-node');

export const { Tensor } = runtime;

/**
 * @param path of an `.onnx` file
 * @returns a session that computes on one thread: pictures in parallel use the processors better than one picture on
 * several (measured)
 */
export function openSession(path: string): Promise<InferenceSession> {
  return runtime.InferenceSession.create(path, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // the arena takes 90 MB, and saves a sixth of the CPU time
    enableCpuMemArena: !process.env[thrifty],
    // a memory plan for every width of a picture takes 50 MB and saves nothing: hardly any two are equally wide
    enableMemPattern: false,
    // weights are stored as half floats; widened once, not for every picture
    graphOptimizationLevel: 'all',
  });
}
