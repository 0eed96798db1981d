// The least that a load generator can be: sleeps until each due time and notes how late it woke. The floor that
// scripts/bench-pacing holds pushbench against.
//
//     bare-timer RATE SECONDS
//
// Prints the lag's p50, p99, p99.9 and maximum in microseconds, and how many due times it saw.

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NS_PER_S 1000000000LL

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * NS_PER_S + time.tv_nsec;
}

static void sleep_until(int64_t due) {
    struct timespec time = {.tv_sec = due / NS_PER_S, .tv_nsec = due % NS_PER_S};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

static int compare(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static double quantile(const int64_t *sorted, int64_t count, double share) {
    int64_t place = (int64_t)(share * (double)count);
    return (double)sorted[place < count ? place : count - 1] / 1000.0;
}

int main(int argc, char **argv) {
    int64_t rate = argc == 3 ? atoll(argv[1]) : 0, seconds = argc == 3 ? atoll(argv[2]) : 0;
    if (rate < 1 || seconds < 1) {
        fprintf(stderr, "usage: bare-timer RATE SECONDS\n");
        return 64;
    }
    int64_t count = rate * seconds;
    int64_t *lags = calloc((size_t)count, sizeof(*lags));
    if (lags == NULL) {
        fprintf(stderr, "bare-timer: no memory for %lld due times\n", (long long)count);
        return 1;
    }
    int64_t start = now_ns() + NS_PER_S / 10, done = 0;
    while (done < count) {
        sleep_until(start + done * NS_PER_S / rate);
        // One clock reading serves everything that is due by then.
        int64_t now = now_ns();
        for (int64_t due; done < count && (due = start + done * NS_PER_S / rate) <= now; done++) lags[done] = now - due;
    }
    qsort(lags, (size_t)count, sizeof(*lags), compare);
    printf("%.1f %.1f %.1f %.1f %lld\n", quantile(lags, count, 0.5), quantile(lags, count, 0.99),
           quantile(lags, count, 0.999), (double)lags[count - 1] / 1000.0, (long long)done);
    free(lags);
    return 0;
}
