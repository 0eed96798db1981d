// The least that a sender over TLS can cost: writes HTTP/2 requests that were laid out before, always the same ones, and
// only counts the bytes of the answers. What it spends goes to the kernel and to OpenSSL; no sender has less to do.
//
//     tls-floor PORT PUSHES CONNECTIONS STREAMS
//
// Only a canned mock takes its requests: header blocks are of the right size, and are nonsense. Prints what was answered.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

// As large as pushbench's: a path of 74 characters, a token of 200, an apns-id, a payload of 126 bytes.
enum { HEADERS = 320, BODY = 126, REQUEST = 9 + HEADERS + 9 + BODY, RECORD = 16384 / REQUEST, ANSWER = 10 };

typedef struct {
    int fd;
    SSL *ssl;
    long begun, answered;
    // Bytes of SETTINGS and its acknowledgement, which come before the answers.
    long skipped;
} connection;

static unsigned char requests[RECORD * REQUEST];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static unsigned char *frame(unsigned char *at, int length, int type, int flags) {
    unsigned char head[9] = {0, (unsigned char)(length >> 8), (unsigned char)length, (unsigned char)type,
                             (unsigned char)flags, 0, 0, 0, 1};
    memcpy(at, head, sizeof(head));
    return at + sizeof(head) + length;
}

static void write_all(SSL *ssl, const void *bytes, int count) {
    if (SSL_write(ssl, bytes, count) != count) fail("SSL_write");
}

static void open_connection(connection *it, SSL_CTX *context, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1;
    it->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(it->fd, (struct sockaddr *)&address, sizeof(address)) != 0) fail("connect");
    setsockopt(it->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    it->ssl = SSL_new(context);
    SSL_set_fd(it->ssl, it->fd);
    if (SSL_connect(it->ssl) != 1) fail("SSL_connect");
    static const char start[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0";
    write_all(it->ssl, start, sizeof(start));
    static const unsigned char acknowledgement[9] = {0, 0, 0, 4, 1};
    write_all(it->ssl, acknowledgement, sizeof(acknowledgement));
    // The mock's SETTINGS (two entries), its window and its acknowledgement: 21, 13 and 9 bytes.
    it->skipped = -43;
}

static void cork(connection *it, int on) { setsockopt(it->fd, IPPROTO_TCP, TCP_CORK, &on, sizeof(on)); }

/// Begins as many requests as there is room for, a record at a time.
static void fill(connection *it, long share, long streams) {
    long room = it->answered + streams;
    if (room > share) room = share;
    int records = 0;
    while (it->begun < room) {
        long count = room - it->begun < RECORD ? room - it->begun : RECORD;
        if (++records == 2) cork(it, 1);
        write_all(it->ssl, requests, (int)count * REQUEST);
        it->begun += count;
    }
    if (records > 1) cork(it, 0);
}

static void drain(connection *it, long *partial) {
    static unsigned char buffer[32768];
    do {
        int count = SSL_read(it->ssl, buffer, sizeof(buffer));
        if (count <= 0) fail("SSL_read");
        *partial += count;
    } while (SSL_has_pending(it->ssl));
    if (it->skipped < 0 && *partial >= -it->skipped) {
        *partial += it->skipped;
        it->skipped = 0;
    }
    if (it->skipped < 0) return;
    it->answered += *partial / ANSWER;
    *partial %= ANSWER;
}

int main(int count, char **words) {
    if (count != 5) return fprintf(stderr, "usage: tls-floor PORT PUSHES CONNECTIONS STREAMS\n"), 64;
    long pushes = atol(words[2]), connections = atol(words[3]), streams = atol(words[4]);
    long share = (pushes + connections - 1) / connections, answered = 0;
    for (unsigned char *at = requests; at < requests + sizeof(requests);) at = frame(frame(at, HEADERS, 1, 4), BODY, 0, 1);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_read_ahead(context, 1);
    static const unsigned char protocols[] = "\2h2";
    SSL_CTX_set_alpn_protos(context, protocols, 3);
    connection *pool = calloc((size_t)connections, sizeof(*pool));
    long *partial = calloc((size_t)connections, sizeof(*partial));
    int epoll = epoll_create1(0);
    for (long number = 0; number < connections; number++) {
        open_connection(&pool[number], context, atoi(words[1]));
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)number};
        epoll_ctl(epoll, EPOLL_CTL_ADD, pool[number].fd, &event);
        fill(&pool[number], share, streams);
    }
    while (answered < share * connections) {
        struct epoll_event events[256];
        int ready = epoll_wait(epoll, events, 256, -1);
        for (int index = 0; index < ready; index++) {
            connection *it = &pool[events[index].data.u64];
            long before = it->answered;
            drain(it, &partial[events[index].data.u64]);
            answered += it->answered - before;
        }
        for (int index = 0; index < ready; index++) fill(&pool[events[index].data.u64], share, streams);
    }
    printf("%ld\n", answered);
    return 0;
}
