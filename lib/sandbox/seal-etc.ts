/** The files of /etc that programs ask for, made up: the same on every computer, and no secret of any. Pure. */

/** Of a sealed command's computer. */
export const HOSTNAME = "sandbox";

const SERVICES =
  "ftp 21 ssh 22 telnet 23 smtp 25 domain 53 http 80 pop3 110 ntp 123 imap2 143 ldap 389 https 443 submission 587 imaps 993 pop3s 995 mysql 3306 postgresql 5432 redis 6379 http-alt 8080";
const PROTOCOLS = "ip 0 icmp 1 igmp 2 tcp 6 udp 17 ipv6 41 ipv6-icmp 58 sctp 132";
/** Types, each with its endings. Programs know most by themselves; some trust this file alone. */
const TYPES = `application/epub+zip epub
application/gzip gz
application/javascript js mjs
application/json json map
application/ld+json jsonld
application/msword doc
application/octet-stream bin
application/pdf pdf
application/postscript ps eps ai
application/rtf rtf
application/sql sql
application/toml toml
application/vnd.ms-excel xls
application/vnd.ms-powerpoint ppt
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.oasis.opendocument.text odt
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/wasm wasm
application/x-7z-compressed 7z
application/x-bzip2 bz2
application/x-sh sh
application/x-tar tar
application/x-xz xz
application/xhtml+xml xhtml
application/xml xml xsl xsd
application/yaml yaml yml
application/zip zip
audio/flac flac
audio/mpeg mp3
audio/ogg oga ogg opus
audio/x-wav wav
font/otf otf
font/ttf ttf
font/woff woff
font/woff2 woff2
image/avif avif
image/bmp bmp
image/gif gif
image/jpeg jpeg jpg
image/png png
image/svg+xml svg svgz
image/tiff tiff tif
image/vnd.microsoft.icon ico
image/webp webp
text/calendar ics
text/css css
text/csv csv
text/html html htm
text/markdown md markdown
text/plain txt text log conf
text/tab-separated-values tsv
text/vtt vtt
text/x-python py
video/mp4 mp4
video/mpeg mpeg mpg
video/ogg ogv
video/quicktime mov
video/webm webm
`;

/** `name number name number …` */
const numbered = (list: string, line: (name: string, number: string) => string): string =>
  [...list.matchAll(/(?<!\S)(\S+) (\d+)/g)].map(([, name = "", number = ""]) => line(name, number)).join("");

/** An empty file beside them, to be put over others. */
export const NOTHING = "nothing";

export const ETC_FILES: Record<string, string> = {
  passwd: `sandbox:x:65534:65534:sandbox:/tmp:/bin/sh\n`,
  group: "sandbox:x:65534:\n",
  hosts: `127.0.0.1 localhost ${HOSTNAME}\n::1 localhost\n`,
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n",
  "host.conf": "multi on\n",
  protocols: numbered(PROTOCOLS, (name, number) => `${name} ${number} ${name.toUpperCase()}\n`),
  services: numbered(SERVICES, (name, port) => `${name} ${port}/tcp\n${name} ${port}/udp\n`),
  "mime.types": TYPES,
};
