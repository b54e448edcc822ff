/* SPDX-License-Identifier: MIT */
/* Dates in ISO form, read without the C library's calendar, which depends on place and locale. */
#include "num/date.h"

#include <string.h>

/* `count` digits as a number; -1 where they are none. Moves past them. */
static int take_number(const char **at, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++, ++*at) {
        if (**at < '0' || **at > '9')
            return -1;
        n = 10 * n + (**at - '0');
    }
    return n;
}

static bool take_sign(const char **at, char c)
{
    *at += **at == c;
    return (*at)[-1] == c;
}

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* HH:MM, and :SS where there may be seconds, which may be 60. */
static bool take_time(const char **at, bool seconds)
{
    int hour = take_number(at, 2), minute = -1, second = 0;
    if (hour >= 0 && take_sign(at, ':'))
        minute = take_number(at, 2);
    if (minute >= 0 && seconds && **at == ':') {
        ++*at;
        second = take_number(at, 2);
    }
    return hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60;
}

static bool is_time(const char *at)
{
    if (*at == '\0')
        return true;
    if (*at++ != 'T' || !take_time(&at, true))
        return false;
    if (*at == '+' || *at == '-') {
        at++;
        return take_time(&at, false) && *at == '\0';
    }
    at += *at == 'Z';
    return *at == '\0';
}

bool date_read(char day[DATE_ROOM], const char *text)
{
    const char *at = text;
    int year = take_number(&at, 4);
    if (year < 1 || !take_sign(&at, '-'))
        return false;
    int month = take_number(&at, 2);
    if (month < 1 || month > 12 || !take_sign(&at, '-'))
        return false;
    int written = take_number(&at, 2);
    if (written < 1 || written > days_of(year, month) || !is_time(at))
        return false;
    memcpy(day, text, DATE_ROOM - 1);
    day[DATE_ROOM - 1] = '\0';
    return true;
}
