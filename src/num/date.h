/* SPDX-License-Identifier: MIT */
#ifndef NUM_DATE_H
#define NUM_DATE_H

#include <stdbool.h>

/* YYYY-MM-DD as a text, whose order is that of the days. */
#define DATE_ROOM 11

/* The day of a date in ISO form, YYYY-MM-DD, which a time may follow: THH:MM, THH:MM:SS, with Z or
 * +HH:MM behind. The day is the one written. False where it is none. */
bool date_read(char day[DATE_ROOM], const char *text);

/* What a date must be, behind a text that is none. */
#define DATE_MUST "must be a day of the calendar, written like 2026-01-31"

#endif
