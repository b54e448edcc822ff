/* SPDX-License-Identifier: MIT */
/* Dates against the calendar of the C library. */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "num/date.h"

/* A day that is none becomes another one. */
static bool in_calendar(int year, int month, int day)
{
    struct tm t = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};
    timegm(&t);
    return t.tm_year == year - 1900 && t.tm_mon == month - 1 && t.tm_mday == day;
}

static void test_days(void **state)
{
    (void)state;
    static const int years[] = {1900, 1970, 2000, 2023, 2024, 2100};
    char text[40], day[DATE_ROOM];
    for (size_t i = 0; i < sizeof years / sizeof *years; i++) {
        if (sizeof(time_t) < 8 && (years[i] < 1902 || years[i] > 2037))
            continue; /* the C library has no such day */
        for (int m = 0; m <= 13; m++)
            for (int d = 0; d <= 32; d++) {
                snprintf(text, sizeof text, "%04d-%02d-%02dT23:59", years[i], m, d);
                bool read = date_read(day, text);
                if (read != in_calendar(years[i], m, d))
                    fail_msg("%s", text);
                if (read)
                    assert_memory_equal(day, text, DATE_ROOM - 1);
            }
    }
}

static void test_forms(void **state)
{
    (void)state;
    static const char *const good[] = {"2026-01-31", "2026-01-31T00:00", "2026-01-31T23:59:60Z",
                                       "2026-01-31T07:05:09+05:30", "2026-01-31T07:05-00:00"};
    static const char *const bad[] = {"",
                                      "2026",
                                      "2026-01",
                                      "2026-01-3",
                                      "20260131",
                                      "2026/01/31",
                                      "31.01.2026",
                                      "0000-01-01",
                                      "+2026-01-31",
                                      " 2026-01-31",
                                      "2026-01-31 ",
                                      "2026-01-31T",
                                      "2026-01-31T24:00",
                                      "2026-01-31T12:60",
                                      "2026-01-31T12:00:61",
                                      "2026-01-31T12:00:5",
                                      "2026-01-31T12:00+5",
                                      "2026-01-31T12:00ZZ",
                                      "2026-01-31T12:00Z+01:00",
                                      "2026-01-31x"};
    char day[DATE_ROOM];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!date_read(day, good[i]))
            fail_msg("%s", good[i]);
        assert_string_equal(day, "2026-01-31");
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (date_read(day, bad[i]))
            fail_msg("%s", bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_days), cmocka_unit_test(test_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
