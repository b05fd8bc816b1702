/**
 * Documents that try to reach a network, a socket or a device. TeX itself has no sockets, so most try what a
 * path can name. What a PDF may do in its viewer (scripts, addresses to open) is not reached by compiling it:
 * the page shows PDFs with scripting off.
 */
import { type Attack, byDocument, type Place, pdftex, wrap } from './attack.ts';

const reach = (what: string, latex: string | ((place: Place) => string)) => byDocument('reach', what, latex);
const open = (path: string) => `\\openin\\r="${path}" \\ifeof\\r\\else\\read\\r to\\x\\x\\fi\\closein\\r`;
const write = (path: string) =>
  `\\immediate\\openout\\w="${path}" \\immediate\\write\\w{x}\\immediate\\closeout\\w`;
const document = (parts: string[]) => wrap(`\\newread\\r\\newwrite\\w\\catcode0=12 ${parts.join('\n')}`);

export const reachingAttacks: readonly Attack[] = [
  reach('a connection by the shell’s own path', ({ port, udpPort }) =>
    document([
      open(`/dev/tcp/127.0.0.1/${port}`),
      write(`/dev/tcp/127.0.0.1/${port}`),
      open(`/dev/udp/127.0.0.1/${udpPort}`),
    ]),
  ),
  reach('a picture at an address', ({ port }) => wrap(`\\includegraphics{http://127.0.0.1:${port}/x.png}`)),
  reach('a file at an address', ({ port }) =>
    document(
      [
        `http://127.0.0.1:${port}/x`,
        `ftp://127.0.0.1:${port}/x`,
        `file://@/canary.txt`,
        `//127.0.0.1/share/x`,
      ].map(open),
    ),
  ),
  reach('a font at an address', ({ port }) => wrap(`\\font\\x="[http://127.0.0.1:${port}/x.otf]" \\x hello`)),
  reach('the driver, with pictures and files at addresses', ({ port }) =>
    wrap(
      `\\special{pdf:image (http://127.0.0.1:${port}/x.png)}\\special{pdf:fstream @a (http://127.0.0.1:${port}/x)}\\special{pdf:epdf (http://127.0.0.1:${port}/x.pdf)}\\special{psfile=http://127.0.0.1:${port}/x}`,
    ),
  ),
  reach('curl by a pipe', ({ port }) =>
    wrap(`\\input|"curl http://127.0.0.1:${port}/"\\immediate\\write18{curl http://127.0.0.1:${port}/}`),
  ),
  reach('a socket on disk, as the database’s', ({ socket }) =>
    document([open(socket), write(socket), `\\input{${socket}}\\special{pdf:fstream @a (${socket})}`]),
  ),
  reach('sockets of the system', () =>
    document(
      [
        '/run/docker.sock',
        '/run/dbus/system_bus_socket',
        '/run/systemd/private',
        '/run/postgresql/.s.PGSQL.5432',
        '/var/run/nscd/socket',
        '/tmp/.X11-unix/X0',
        '/tmp/.s.PGSQL.5432',
      ].flatMap((path) => [open(path), write(path)]),
    ),
  ),
  reach('a socket without a file', ({ abstractSocket }) =>
    document([open(`\0${abstractSocket}`), open(`^^@${abstractSocket}`), open(`@${abstractSocket}`)]),
  ),
  reach('devices', () =>
    document(
      [
        '/dev/mem',
        '/dev/kmsg',
        '/dev/vda',
        '/dev/sda',
        '/dev/tty',
        '/dev/console',
        '/dev/ptmx',
        '/dev/fuse',
        '/dev/kvm',
        '/dev/vsock',
        '/dev/net/tun',
        '/dev/shm/x',
        '/dev/mqueue/x',
      ].flatMap((path) => [open(path), write(path)]),
    ),
  ),
  reach('memory and files shared between jobs', () =>
    document(
      ['/dev/shm/inkproof', '/tmp/inkproof', '/var/tmp/inkproof', '/run/lock/inkproof'].flatMap((path) => [
        write(path),
        open(path),
      ]),
    ),
  ),
  reach('names to look up', () =>
    wrap(
      '\\includegraphics{http://canary.invalid/x.png}\\input{//canary.invalid/x}\\font\\x="canary.invalid" \\special{pdf:uri (http://canary.invalid/)}',
    ),
  ),
  reach('a PDF whose streams lie elsewhere', ({ port }) =>
    wrap(
      `\\special{pdf:put @catalog << /OpenAction << /S /URI /URI (http://127.0.0.1:${port}/) >> >>}\\special{pdf:obj @x << /F << /FS /URL /F (http://127.0.0.1:${port}/) >> /Length 0 >>}\\special{pdf:put @catalog << /X @x >>}`,
    ),
  ),
  reach('a PDF with a script and a program to launch', ({ port }) =>
    wrap(
      `\\special{pdf:put @catalog << /OpenAction << /S /JavaScript /JS (app.launchURL\\('http://127.0.0.1:${port}/'\\)) >> /AA << /WC << /S /Launch /F (/bin/sh) >> >> >>}`,
    ),
  ),
  reach(
    'pdfTeX: addresses and sockets',
    ({ port, socket }) =>
      pdftex +
      wrap(
        `\\newread\\r ${open(`http://127.0.0.1:${port}/`)}${open(socket)}\\immediate\\pdfobj stream file {${socket}}\\pdfximage{http://127.0.0.1:${port}/x.pdf}`,
      ),
  ),
];
