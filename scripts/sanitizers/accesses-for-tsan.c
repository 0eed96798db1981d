// Stands between the compiler and ThreadSanitizer where a change in place is told (`-Xlinker --wrap`). Where an element is
// changed through a constant pointer to a buffer, such as `buffer[i].part.add(1)`, Swift 6.3 tells the first word of the
// struct that holds the pointer in place of an address. Where that word is a number, equal numbers of two threads would be
// taken for one place. The load and the store that the change is made of are seen all the same.
#include <stdint.h>

void __real___tsan_external_write(void *address, void *caller, void *tag);

// A call in tail position: the report names whoever changed the place, not this function.
void __wrap___tsan_external_write(void *address, void *caller, void *tag) {
    // The sanitizer lays heap, stacks and programs between these, on x86-64 and on arm64.
    uintptr_t highest = (uintptr_t)address >> 40;
    if (highest < 0x55 || highest > 0xff) return;
    __real___tsan_external_write(address, caller, tag);
}
