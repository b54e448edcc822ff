/* SPDX-License-Identifier: MIT */
/* Functions of 128-bit fixed point. With |s| <= 2^-7 and coefficients 1/k! to half a unit, a term
 * of Horner's rule adds at most 1.6 units, of which the next keeps 2^-7: the series of e^s, cos s
 * and sin s are within 2 units with what is cut, less than half a unit: s^13/13! < 2^-123, s^14/14!
 * < 2^-133 and for e^s s^13/13! too. */
#include "num/fixed.h"

#ifdef FIXED

#include <math.h>

/* e^(i/64), i = -23 .. 23 */
static const uint64_t EXP[47][2] = {
    {0x0000b2b7805fabcb, 0x5327cdbad0e5a253}, {0x0000b587fb96f5c4, 0xe712a053451f9ff1},
    {0x0000b863cf5d19e0, 0x354e91dbb1734bd5}, {0x0000bb4b296f917b, 0xf09a22fbaa27077c},
    {0x0000be3e38443bb1, 0xdfef65597daacdcf}, {0x0000c13d2b0c44b8, 0xaf4a68aa4e7ef9fa},
    {0x0000c44831b718fa, 0xa1d9c29d8d982ed7}, {0x0000c75f7cf56410, 0x5743415cbc9d6369},
    {0x0000ca833e3c1bcf, 0x93e90747d19ac1d3}, {0x0000cdb3a7c7979e, 0xbd5c80489daded7a},
    {0x0000d0f0ec9eb43e, 0x8078e9af6bb3a3e2}, {0x0000d43b4096043b, 0xde02c9dd90522bbe},
    {0x0000d792d8530d3d, 0xa5312b5abcb3ceac}, {0x0000daf7e94f9261, 0x313d5fd7d70a5ed5},
    {0x0000de6aa9dcebdb, 0x100b56a61a9a32d8}, {0x0000e1eb51276c11, 0x0c3c3eb1269f2f5d},
    {0x0000e57a1739d263, 0xec948222e86239e1}, {0x0000e9173500cbe0, 0x159aa3084a1ddd39},
    {0x0000ecc2e44e820d, 0x18c3cc6f189c52b1}, {0x0000f07d5fde3815, 0x1e72f18ff03049ac},
    {0x0000f446e357f67d, 0xfd8e33bd6c7d23c7}, {0x0000f81fab5445ae, 0xbc8a58055fcbbb14},
    {0x0000fc07f55ff77d, 0x2493e885eeaa756b}, {0x0001000000000000, 0x0000000000000000},
    {0x000104080ab55de3, 0x917ab864b3e9044e}, {0x000108205601127e, 0xc98e0bd083aba80d},
    {0x00010c49236829e8, 0xbc292cfe63d64b29}, {0x00011082b577d34e, 0xd7d5b1a019e225ca},
    {0x000114cd4fc989cd, 0x64555ea19c6e279c}, {0x0001192937074e0c, 0xd6893d18cdba80eb},
    {0x00011d96b0eff0e7, 0x93d158f49a640d86}, {0x00012216045b6f5c, 0xcf9ced688384e06c},
    {0x000126a7793f6016, 0x42b5d730c0089a0e}, {0x00012b4b58b372c7, 0x95013767c0c59d7e},
    {0x00013001ecf601af, 0x700bd5c89634fff5}, {0x000134cb8170b583, 0x52d4e0c48cb7c665},
    {0x000139a862bd3c10, 0x65f7469e72f43f07}, {0x00013e98deaa11dc, 0xbaa377bdc040c051},
    {0x0001439d443f5f15, 0x8ee3a4d178ca5bd4}, {0x000148b5e3c3e818, 0x66767bc3b69baabe},
    {0x00014de30ec211e6, 0x013b5223eca17127}, {0x00015325180cfacf, 0x76ca2d98299236a0},
    {0x0001587c53c5a7af, 0x02761d27802f26de}, {0x00015de9176045ff, 0x53b5132465317544},
    {0x0001636bb9a98325, 0x84d2730c7dc9233c}, {0x0001690492cbf943, 0x2cfdaf98105237a7},
    {0x00016eb3fc55b1e7, 0x5b49d64cdddcbf31},
};

/* cos and sin of i/64, i = 0 .. 51 */
static const uint64_t COS[52][2] = {
    {0x0001000000000000, 0x0000000000000000}, {0x0000fff8000aaaa4, 0xfa514514074bde6b},
    {0x0000ffe000aaa93e, 0x9589576da4ec9494}, {0x0000ffb8035fefcc, 0xf674c4a9f9b72a14},
    {0x0000ff800aaa4fa6, 0x9a65070f73284de2}, {0x0000ff381a094f7b, 0x771a05e641b4834c},
    {0x0000fee035fbf35c, 0xda632056a6bf1b6b}, {0x0000fe78640074cd, 0x88f51ebc368c3561},
    {0x0000fe00aa93eade, 0x9b6d1e6a129df6f2}, {0x0000fd791131e25e, 0x97ab54c7b317625d},
    {0x0000fce1a053e621, 0x438b6d60c76e8c46}, {0x0000fc3a6170f767, 0xac735d63d99a9d44},
    {0x0000fb835efcf670, 0xdd2ce6fe7924697f}, {0x0000fabca467fb3c, 0xb8f1d069f01d8ea3},
    {0x0000f9e63e1d9e8b, 0x6f6f2e296bae5b5f}, {0x0000f90039843324, 0xf9b940416c1984b7},
    {0x0000f80aa4fbef75, 0x0ba783d33cb95f95}, {0x0000f7058fde0788, 0xdfc805b8fe88789e},
    {0x0000f5f10a7bb77d, 0x3dfa0c1da8b57842}, {0x0000f4cd261d3e6c, 0x15bb369c8758630d},
    {0x0000f399f500c9e9, 0xfd37ae9957263dac}, {0x0000f2578a595224, 0xdd2e6bfa2eb2f99d},
    {0x0000f105fa4d66b6, 0x07a67d44e0427252}, {0x0000efa559f5ec3a, 0xec3a4eb03319278a},
    {0x0000ee35bf5ccac8, 0x9052cd91ddb734d4}, {0x0000ecb7417b8d4e, 0xe3fec37aba4073aa},
    {0x0000eb29f839f201, 0xfd13b93796827917}, {0x0000e98dfc6c6be0, 0x31e60dd3089cbdd2},
    {0x0000e7e367d2956c, 0xfb16b6aa11e5419d}, {0x0000e62a551594b9, 0x70a770b15d41d4c1},
    {0x0000e462dfc670d4, 0x21ab3d1a15901229}, {0x0000e28d245c58ba, 0xef72225e232abc00},
    {0x0000e0a94032dbea, 0x7cedbddd9da2fafb}, {0x0000deb7518814a7, 0xa931bbcc88c109cd},
    {0x0000dcb7777ac420, 0x705168f31e3eb781}, {0x0000daa9d2086082, 0x7063fde51c09e856},
    {0x0000d88e820b1526, 0x311dd561efbc0c1b}, {0x0000d665a937b4ef, 0x2b1f6d51bad6d989},
    {0x0000d42f6a1b9f01, 0x68cdf031c2f63c8e}, {0x0000d1ebe81a95ee, 0x752e48a26bcd32d7},
    {0x0000cf9b476c897c, 0x25c5bfe750dd3f31}, {0x0000cd3dad1b5328, 0xa2e459f993f4f511},
    {0x0000cad33f00658f, 0xe5e8204bbc0f3a67}, {0x0000c85c23c26ed7, 0xb6f014ef546c4793},
    {0x0000c5d882d2ee48, 0x030c7c07d28e981e}, {0x0000c348846bbd36, 0x31338ffe2bfe9dd1},
    {0x0000c0ac518c8b6a, 0xe710ba37a3eeb90d}, {0x0000be0413f84f2a, 0x771c614946a88cbf},
    {0x0000bb4ff632a908, 0xf73ec151839cb9da}, {0x0000b890237d3bb3, 0xc284b614a0539017},
    {0x0000b5c4c7d4f7da, 0xe915ac786ccf4b1a}, {0x0000b2ee0fef5c65, 0xcf9a0f92e3320e23},
};

static const uint64_t SIN[52][2] = {
    {0x0000000000000000, 0x0000000000000000}, {0x000003fff5555ddd, 0xda9daa938cac1f11},
    {0x000007ffaaabbbba, 0x1ba32bf904ddb51e}, {0x00000bfee008197d, 0xd454cc841722cd0d},
    {0x00000ffd557776a7, 0x6d5a5d259b2f692d}, {0x000013facb12d175, 0x5a9b79bab59ae5d2},
    {0x000017f701032550, 0xe41afc2d1800501a}, {0x00001bf1b7856839, 0x1d7a461077a9331f},
    {0x00001feaaeee86ee, 0x35ca069a86721f8a}, {0x000023e1a7af5f9d, 0x5d488357b344b2da},
    {0x000027d66258bacd, 0x96a3eb335b365c88}, {0x00002bc89f9f424d, 0xe5485de7ce03b251},
    {0x00002fb8205f75e5, 0x6a2b56a1c4792f85}, {0x000033a4a5a19d86, 0x246710f602c44df5},
    {0x0000378df09db8c3, 0x32ce0d2b53d86558}, {0x00003b73c2bf6b4b, 0x9f668ef9499c81f1},
    {0x00003f55dda9e62a, 0xed7513bd7b8e6a3d}, {0x00004334033bcd90, 0xd6604f5f36c1d4b8},
    {0x0000470df5931ae1, 0xd946076fe0dcff48}, {0x00004ae37710fad2, 0x7c8aa9c4cf96c035},
    {0x00004eb44a5da74f, 0x600207aaa090f073}, {0x00005280326c3cf4, 0x81823ba6bb08eac8},
    {0x00005646f27e8bd6, 0x5cbe3a5d61ff0657}, {0x00005a084e28e35f, 0xda2776dfdbbb5532},
    {0x00005dc40955d908, 0x4f48a94675a2498e}, {0x00006179e84a09a5, 0x258a40e9b5face04},
    {0x00006529afa7d51b, 0x129631ec197c0a84}, {0x000068d324731433, 0x27973bc712bcc4cd},
    {0x00006c760c14c858, 0x5a51dbd34660ae6c}, {0x000070122c5ec502, 0x8c8cff33abf4fd34},
    {0x000073a74b8f5294, 0x7b681baf6928eb40}, {0x000077353054ca72, 0x690d4c6e171fd99e},
    {0x00007abba1d12c17, 0xbfa1d92f0d93f60e}, {0x00007e3a679daaf2, 0x5c676542bcb4028d},
    {0x000081b149ce34ca, 0xa5a4e650f8d09fd5}, {0x0000852010f4f080, 0x0521378bd8dd6147},
    {0x000088868625b4e1, 0xdbb2313310133022}, {0x00008be472f9776d, 0x809af2b88171243d},
    {0x00008f39a191b2ba, 0x6122a3fa4f41d5a4}, {0x00009285dc9bc45d, 0xd9ea3d02457bcce6},
    {0x000095c8ef544210, 0xec0b91c49bd2aa0a}, {0x00009902a58a45e2, 0x7bed68412b426b67},
    {0x00009c32cba2b141, 0x56ef05256c4f857a}, {0x00009f592e9b66a9, 0xcf906a3c7aa3c102},
    {0x0000a2759c0e79c3, 0x5582527c32b55f54}, {0x0000a587e23555bb, 0x08086d02b9c662ce},
    {0x0000a88fcfebd9a8, 0xdd47e2f3c76ef9e2}, {0x0000ab8d34b36acd, 0x987210ed343ec65d},
    {0x0000ae7fe0b5fc78, 0x6b2d966e1d6af141}, {0x0000b167a4c90d63, 0xc4244cf5493b7cc2},
    {0x0000b44452709a59, 0x752905913765434a}, {0x0000b715bbe205ef, 0x06f18d67a8052acf},
};

/* 1/k! */
static const uint64_t INVERSE[14][2] = {
    {0x0001000000000000, 0x0000000000000000}, {0x0001000000000000, 0x0000000000000000},
    {0x0000800000000000, 0x0000000000000000}, {0x00002aaaaaaaaaaa, 0xaaaaaaaaaaaaaaab},
    {0x00000aaaaaaaaaaa, 0xaaaaaaaaaaaaaaab}, {0x0000022222222222, 0x2222222222222222},
    {0x0000005b05b05b05, 0xb05b05b05b05b05b}, {0x0000000d00d00d00, 0xd00d00d00d00d00d},
    {0x00000001a01a01a0, 0x1a01a01a01a01a02}, {0x000000002e3bc74a, 0xad8e671f5583911d},
    {0x00000000049f93ed, 0xde27d71cbbc05b50}, {0x00000000006b9915, 0x9fd5138e3f9d1f93},
    {0x000000000008f76c, 0x77fc6c4bdaa26d4c}, {0x000000000000b092, 0x309d43684be51c1a},
};

/* ln 2 and pi/2, in units, and 64 bits more */
static const uint64_t LN2[3] = {0x0000b17217f7d1cf, 0x79abc9e3b39803f2, 0xf6af40f343267298};
static const uint64_t HALF_PI[3] = {0x0001921fb54442d1, 0x8469898cc51701b8, 0x39a252049c1114cf};
#define PER_LN2 6196328019     /* 2^32 / ln 2 */
#define PER_HALF_PI 2734261102 /* 2^32 / (pi/2) */

static fixed128 of_pair(const uint64_t pair[2])
{
    return (fixed128)((wide_u128)pair[0] << 64 | pair[1]);
}

/* *n = x / m to nearest or next to it, and x - n m, within 2 units, for |n| < 2^15: per = 2^32 / m
 * is off by 2^-33 m at most, and 2^48 x too little by 1, so n m is within 2^-16 of x +- m/2. */
static fixed128 reduce(int64_t *n, fixed128 x, const uint64_t m[3], int64_t per)
{
    *n = (int64_t)(((fixed128)(int64_t)(x >> 64) * per + ((fixed128)1 << 79)) >> 80);
    return x - *n * of_pair(m) - ((*n * (fixed128)m[2]) >> 64);
}

/* x becomes x - i/64, |.| <= 2^-7 */
static int nearest(fixed128 *x)
{
    fixed128 i = (*x + ((fixed128)1 << (FIXED_POINT - 7))) >> (FIXED_POINT - 6);
    *x -= i * ((fixed128)1 << (FIXED_POINT - 6));
    return (int)i;
}

/* The sum of s^(k/step) / k! over k = 0, step .. last. */
static fixed128 series(fixed128 s, int last, int step)
{
    fixed128 sum = of_pair(INVERSE[last]);
    for (int k = last - step; k >= 0; k -= step)
        sum = of_pair(INVERSE[k]) + fixed_mul(s, sum);
    return sum;
}

fixed128 fixed_exp(int *n, fixed128 x)
{
    int64_t whole;
    fixed128 s = reduce(&whole, x, LN2, PER_LN2);
    int i = nearest(&s);
    *n = (int)whole;
    return fixed_mul(of_pair(EXP[23 + i]), series(s, 12, 1));
}

void fixed_turn(fixed128 *re, fixed128 *im, fixed128 x)
{
    int64_t n;
    fixed128 s = reduce(&n, x, HALF_PI, PER_HALF_PI);
    int i = nearest(&s);
    fixed128 square = -fixed_mul(s, s);
    fixed128 c = series(square, 12, 2), d = of_pair(INVERSE[13]);
    for (int k = 11; k >= 1; k -= 2)
        d = of_pair(INVERSE[k]) + fixed_mul(square, d);
    d = fixed_mul(s, d);
    fixed128 c0 = of_pair(COS[i < 0 ? -i : i]), d0 = of_pair(SIN[i < 0 ? -i : i]);
    if (i < 0)
        d0 = -d0;
    fixed128 a = fixed_mul(c0, c) - fixed_mul(d0, d), b = fixed_mul(d0, c) + fixed_mul(c0, d);
    *re = n % 2 == 0 ? a : b;
    *im = n % 2 == 0 ? b : a;
    if ((n & 3) == 1 || (n & 3) == 2)
        *re = -*re;
    if ((n & 3) == 2 || (n & 3) == 3)
        *im = -*im;
}

/* A double near ln x or the angle, of 40 bits after the point, which the functions check. */
#define NEAR 1099511627776.0
#define NEAR_BITS (FIXED_POINT - 40)

static bool take_near(fixed128 *out, double x)
{
    if (!(fabs(x) < 8))
        return false;
    *out = (fixed128)(int64_t)(x * NEAR) * ((fixed128)1 << NEAR_BITS);
    return true;
}

static bool is_small(fixed128 x)
{
    fixed128 most = (fixed128)1 << (FIXED_POINT - 37);
    return -most < x && x < most;
}

/* With E near 1/x, ln x = -ln E + d - d^2/2 + .., d = x E - 1; d^3/3 < 2^-112. E is within 8 2^n
 * units and one for its shift, x 2^n < 1.5 and x <= 4: d is within 12 + 4 + 1 units. */
bool fixed_log(fixed128 *out, fixed128 x)
{
    fixed128 near, rest;
    int n;
    if (x < (fixed128)1 << (FIXED_POINT - 2) || x > (fixed128)1 << (FIXED_POINT + 2) ||
        !take_near(&near, log(fixed_get_d(x))))
        return false;
    rest = fixed_exp(&n, -near);
    rest = fixed_mul(x, fixed_shift(rest, n)) - ((fixed128)1 << FIXED_POINT);
    *out = near + rest - fixed_mul(rest, rest) / 2;
    return is_small(rest);
}

/* Turned back by an angle near it the rest has the tangent t = im / re: t - t^3/3 + .., |t^3|/3 <
 * 2^-112, and t as the sum of two quotients of doubles, the second of what the first leaves: each
 * double is within 2^-53 of what it stands for, so t is within 2^-37 (2^-50)^2 and two units of a
 * quotient, each of them cut to a unit. The turn is within 12 units of |z|, and its products 3
 * units each, for |z| >= 1/4. */
bool fixed_angle(fixed128 *out, fixed128 im, fixed128 re)
{
    fixed128 near, c, d, one = (fixed128)1 << FIXED_POINT, most = 2 * one;
    double x = fixed_get_d(re), y = fixed_get_d(im);
    if (!(fmax(fabs(x), fabs(y)) >= 0.25) || re > most || re < -most || im > most || im < -most ||
        !take_near(&near, atan2(y, x)))
        return false;
    fixed_turn(&c, &d, near);
    fixed128 along = fixed_mul(re, c) + fixed_mul(im, d), off = fixed_mul(im, c) - fixed_mul(re, d);
    fixed128 first;
    if (along < one / 8 || !is_small(off) ||
        !fixed_set_d(&first, fixed_get_d(off) / fixed_get_d(along)))
        return false;
    off -= fixed_mul(first, along);
    fixed128 second;
    if (!fixed_set_d(&second, fixed_get_d(off) / fixed_get_d(along)))
        return false;
    *out = near + first + second;
    return true;
}

fixed128 fixed_shift(fixed128 x, int n)
{
    if (n >= 0)
        return x * ((fixed128)1 << n);
    return n > -127 ? x / ((fixed128)1 << -n) : 0;
}

/* ---- from and to other numbers -------------------------------------------------------------- */
double fixed_get_d(fixed128 x)
{
    return ldexp((double)x, -FIXED_POINT);
}

bool fixed_set_d(fixed128 *out, double x)
{
    if (!(fabs(x) < FIXED_MOST))
        return false;
    *out = (fixed128)ldexp(x, FIXED_POINT);
    return true;
}

/* Of its integer part, which is z cut. */
static void set_units(fixed128 *out, const mpz_t z)
{
    mpz_t part;
    uint64_t a = 0, b = 0;
    mpz_init(part);
    mpz_tdiv_q_2exp(part, z, 64);
    mpz_abs(part, part);
    wide_get_z(&a, part);
    mpz_tdiv_r_2exp(part, z, 64);
    mpz_abs(part, part);
    wide_get_z(&b, part);
    *out = (fixed128)((wide_u128)a << 64 | b);
    if (mpz_sgn(z) < 0)
        *out = -*out;
    mpz_clear(part);
}

bool fixed_set_fr(fixed128 *out, mpfr_srcptr x)
{
    if (!mpfr_number_p(x) || mpfr_cmpabs_ui(x, FIXED_MOST) >= 0)
        return false;
    mpfr_t whole;
    mpz_t z;
    mpfr_init2(whole, mpfr_get_prec(x));
    mpz_init(z);
    mpfr_mul_2ui(whole, x, FIXED_POINT, MPFR_RNDN);
    mpfr_get_z(z, whole, MPFR_RNDZ);
    set_units(out, z);
    mpz_clear(z);
    mpfr_clear(whole);
    return true;
}

bool fixed_set_q(fixed128 *out, mpq_srcptr x)
{
    mpz_t z;
    mpz_init(z);
    mpz_mul_2exp(z, mpq_numref(x), FIXED_POINT);
    mpz_tdiv_q(z, z, mpq_denref(x));
    bool ok = mpz_sizeinbase(z, 2) <= FIXED_MOST_BITS + FIXED_POINT;
    if (ok)
        set_units(out, z);
    mpz_clear(z);
    return ok;
}

void fixed_get_fr(mpfr_t out, fixed128 x, mpfr_rnd_t way)
{
    mpfr_t low, high;
    wide_u128 size = x < 0 ? -(wide_u128)x : (wide_u128)x;
    mpfr_init2(low, 64);
    mpfr_init2(high, 128);
    wide_set_fr(high, (uint64_t)(size >> 64), MPFR_RNDN);
    mpfr_mul_2ui(high, high, 64, MPFR_RNDN);
    wide_set_fr(low, (uint64_t)size, MPFR_RNDN);
    mpfr_add(high, high, low, MPFR_RNDN);
    mpfr_div_2ui(high, high, FIXED_POINT, MPFR_RNDN);
    if (x < 0)
        mpfr_neg(high, high, MPFR_RNDN);
    mpfr_set(out, high, way);
    mpfr_clear(high);
    mpfr_clear(low);
}

#endif
