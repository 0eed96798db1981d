#pragma once
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/eventfd.h>
