#include "base/number.h"
#include "harness.h"
#include "support/numbers.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOO_LARGE UINT64_MAX

/* Machines that are emulated and programs that watch themselves get less to do. */
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__) || defined(__mips__)
enum { MANY = 30000, SOME = 100 };
#else
enum { MANY = 1000000, SOME = 1000 };
#endif

/* The text is given without a NUL, so that reading behind it is seen. */
static void check(const char *text, uint64_t want)
{
    const size_t length = strlen(text);
    char *copy = malloc(length);
    CHECK(copy);
    memcpy(copy, text, length);
    double value = 7;
    const bool read = tl_read_double(copy, length, &value);
    free(copy);
    const uint64_t got = read ? bits_of(value) : TOO_LARGE;
    if (got != want)
        FAIL("%.100s is %016llx, must be %016llx", text, (unsigned long long)got, (unsigned long long)want);
}

TEST(numbers_known_by_heart)
{
    check("0", 0);
    check("-0", UINT64_C(1) << 63);
    check("0.0", 0);
    check("-0.000", UINT64_C(1) << 63);
    check("1", bits_of(1));
    check("-1.5", bits_of(-1.5));
    check("0.1", UINT64_C(0x3fb999999999999a));
    check("1e0", bits_of(1));
    check("1E+2", bits_of(100));
    check("100e-2", bits_of(1));
    check("1e22", UINT64_C(0x4480f0cf064dd592));
    check("1e23", UINT64_C(0x44b52d02c7e14af6));
    check("0.000001", UINT64_C(0x3eb0c6f7a0b5ed8d));
    check("6.02214076e23", UINT64_C(0x44dfe185ca57c517));
    check("4294967296", bits_of(4294967296.0));
    check("123456789012345678901234567890", UINT64_C(0x45f8ee90ff6c373e));
    check("18446744073709551615", UINT64_C(0x43f0000000000000));
    check("18446744073709551616", UINT64_C(0x43f0000000000000));
    check("1.0000000000000000000000", bits_of(1));
    check("0.00000000000000000000000000000000", 0);
}

TEST(halfway_goes_to_even)
{
    check("9007199254740992", UINT64_C(0x4340000000000000));
    check("9007199254740993", UINT64_C(0x4340000000000000));
    check("9007199254740993.0000000000000000001", UINT64_C(0x4340000000000001));
    check("9007199254740994", UINT64_C(0x4340000000000001));
    check("9007199254740995", UINT64_C(0x4340000000000002));
    check("1.00000000000000011102230246251564", UINT64_C(0x3ff0000000000000));
    check("1.00000000000000011102230246251565404236316680908203125", UINT64_C(0x3ff0000000000000));
    check("1.00000000000000011102230246251565404236316680908203124", UINT64_C(0x3ff0000000000000));
    check("1.00000000000000011102230246251565404236316680908203126", UINT64_C(0x3ff0000000000001));
    check("1.00000000000000011102230246251565", UINT64_C(0x3ff0000000000000));
    check("1.00000000000000011102230246251566", UINT64_C(0x3ff0000000000001));
}

TEST(the_largest_and_the_smallest)
{
    check("1.7976931348623157e308", UINT64_C(0x7fefffffffffffff));
    check("1.7976931348623158e308", UINT64_C(0x7fefffffffffffff));
    check("1.7976931348623159e308", TOO_LARGE);
    check("-1.7976931348623159e308", TOO_LARGE);
    check("17976931348623158e292", UINT64_C(0x7fefffffffffffff));
    check("1.8e308", TOO_LARGE);
    check("1e309", TOO_LARGE);
    check("1e400", TOO_LARGE);
    check("2.2250738585072014e-308", UINT64_C(0x0010000000000000));
    check("2.2250738585072012e-308", UINT64_C(0x0010000000000000));
    check("2.2250738585072011e-308", UINT64_C(0x000fffffffffffff));
    check("5e-324", 1);
    check("4.9e-324", 1);
    check("7.4e-324", 1);
    check("1e-323", 2);
    check("2.4703282292062328e-324", 1);
    check("2.4703282292062327e-324", 0);
    check("-2.4703282292062327e-324", UINT64_C(1) << 63);
    check("1e-324", 0);
    check("9e-325", 0);
    check("1E-400", 0);
}

/* Exponents and digits that no integer holds, and such that make up for each other. */
TEST(absurd_lengths)
{
    check("1e99999999999999999999999999", TOO_LARGE);
    check("1e-99999999999999999999999999", 0);
    check("0e99999999999999999999999999", 0);
    check("-0e-99999999999999999999999999", UINT64_C(1) << 63);
    check("1e18446744073709551616", TOO_LARGE); /* 2^64 */
    check("1e000000000000000000000000000000000000000002", bits_of(100));
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + 32);
    memset(text, '0', LENGTH);
    strcpy(text + LENGTH, "1e100001");
    text[1] = '.';
    check(text, bits_of(100)); /* the 1 is the 99999th digit behind the point */
    text[0] = '3';
    strcpy(text + LENGTH, "e0");
    check(text, bits_of(3));
    text[1] = '0';
    strcpy(text + LENGTH, "e-99999");
    check(text, bits_of(3));
    strcpy(text + LENGTH, "e-99998");
    check(text, bits_of(30));
    free(text);
}

/* A digit far behind decides, and one that is not there does not. */
TEST(the_last_of_many_digits)
{
    for (size_t zeros = 1; zeros < 3000; zeros += zeros < 60 ? 1 : 97) {
        char text[4096] = "9007199254740993.";
        memset(text + 17, '0', zeros);
        text[17 + zeros] = '\0';
        check(text, UINT64_C(0x4340000000000000));
        text[17 + zeros - 1] = '1';
        check(text, UINT64_C(0x4340000000000001));
        strcpy(text + 17 + zeros, "000");
        check(text, UINT64_C(0x4340000000000001));
    }
}

typedef struct known {
    const char *text;
    uint64_t bits;
} known;

/* Random texts, read by another program (Python's float). */
static const known known_numbers[] = {
    {"7e-310", UINT64_C(0x000080dbd0164b2d)},
    {"4E-210", UINT64_C(0x14750a6110d6a9b8)},
    {"-1e-1", UINT64_C(0xbfb999999999999a)},
    {"5e17", UINT64_C(0x439bc16d674ec800)},
    {"-4E75", UINT64_C(0xcfa1afd6ec0e1411)},
    {"-5E+283", UINT64_C(0xfad585041b2c477f)},
    {"-2.4E-337", UINT64_C(0x8000000000000000)},
    {"-2.9e-38", UINT64_C(0xb823bc8338b5313f)},
    {"-6.9e-20", UINT64_C(0xbbf45d7e1ad7bf72)},
    {"-4.7E+19", UINT64_C(0xc404620c57dddae0)},
    {"-86e+236", UINT64_C(0xf155218efc47540c)},
    {"17e+282", UINT64_C(0x7abd4443063c3846)},
    {"-1376.8e-332", UINT64_C(0x8000000000000000)},
    {"-1.8368E-210", UINT64_C(0x946352d9c275af1f)},
    {"-8.7349e-19", UINT64_C(0xbc301cf09d3a95b3)},
    {"-490.21E+15", UINT64_C(0xc39b364d974d6080)},
    {"-14249e108", UINT64_C(0xd737b32abef0e1d1)},
    {"-6.1961E280", UINT64_C(0xfa3b4eba612b53c6)},
    {"-368967813e-313", UINT64_C(0x80b9e8e8b71e1a28)},
    {"3053.97372e-199", UINT64_C(0x1756d42a16bc36b0)},
    {"256319453e-16", UINT64_C(0x3e5b85a7cd351b09)},
    {"739872359E3", UINT64_C(0x4265887a884b0000)},
    {"-57792466.6E121", UINT64_C(0xdaaaae095dc9e975)},
    {"-7407584.13e287", UINT64_C(0xfcf28ebc111a968f)},
    {"69006390912.2972e-310", UINT64_C(0x01d27c386402fbd2)},
    {"-495579.116814920e-83", UINT64_C(0xafe25ce8aad6e142)},
    {"6424.46386758928e-17", UINT64_C(0x3d32155068631973)},
    {"8784352.59571815E2", UINT64_C(0x41ca2dedddc9313c)},
    {"606198532685.897E153", UINT64_C(0x62250dbb7c968021)},
    {"-444556.114843600e301", UINT64_C(0xff9952a031870853)},
    {"-236993178.9766309e-306", UINT64_C(0x8223d6cdfbbb18dc)},
    {"-517552440809401.6E-267", UINT64_C(0x8b8e5b113bc62e55)},
    {"1927609.115882576e-24", UINT64_C(0x3c41c77037148fa2)},
    {"-51048120.70283481e+0", UINT64_C(0xc1885775c59f67db)},
    {"-7.925806670815822e+266", UINT64_C(0xf758948efc51e3f0)},
    {"888.7463703112595E300", UINT64_C(0x7ed4bc61bc7c883f)},
    {"-771.75401073290567e-338", UINT64_C(0x8000000000000000)},
    {"-28871.517350559046e-37", UINT64_C(0xb92dfb5da6f1f464)},
    {"58.441462190317839E-8", UINT64_C(0x3ea39c15582ddb54)},
    {"-5671.9239947247296e+7", UINT64_C(0xc22a6975d6167e9e)},
    {"5764374262527634.3e+55", UINT64_C(0x4ea0b440205e09bd)},
    {"-92671.808428756362e289", UINT64_C(0xfcf7375b647e78e9)},
    {"2789298.38394909533e-311", UINT64_C(0x00b3964d744dd163)},
    {"579.917409974539105e-93", UINT64_C(0x2d32e6a811d1fd81)},
    {"9747609.53060661139e-5", UINT64_C(0x40585e7858725551)},
    {"-4.50621103748301354E+21", UINT64_C(0xc46e8907b2f52aef)},
    {"83816.1190135928495E202", UINT64_C(0x6ae4e2a25cd1e139)},
    {"-8032035.74861649996E+302", TOO_LARGE},
    {"-916247.8221443640443E-320", UINT64_C(0x800000006e8984fe)},
    {"-9926905364844582786E-153", UINT64_C(0xa41cdc6cea7f4f7c)},
    {"-9943144074293816.438e-4", UINT64_C(0xc26cf03839c0ac36)},
    {"-4.769524671306233014e18", UINT64_C(0xc3d08c305ac92add)},
    {"-45697478.22039569581E134", UINT64_C(0xdd57fbccc90409ad)},
    {"279643.1588549106966e278", UINT64_C(0x7ac8123c0e1756c8)},
    {"-53299809806011.159597e-339", UINT64_C(0x8000000000000000)},
    {"-4926920.0290268671800E-243", UINT64_C(0x8ee00a98c37cbfca)},
    {"-98.841943436943625390E-12", UINT64_C(0xbddb2b6228951479)},
    {"-2151.9337518507453774e13", UINT64_C(0xc3531cee4d25e96f)},
    {"-14127.790457270633005e200", UINT64_C(0xea52063526fcb195)},
    {"679.36121134032978030E+270", UINT64_C(0x789417ce770e4aa9)},
    {"-8032942005711931571.78E-332", UINT64_C(0x80000003c91a72ca)},
    {"-6743550086841880699.82e-69", UINT64_C(0xb5842f3aef9f4c42)},
    {"-99540337134.3123413458e-24", UINT64_C(0xbd3c04a31fc6d0a7)},
    {"-45271485610196550.0794e15", UINT64_C(0xc681db407995f88a)},
    {"2089566301173.29522000e+64", UINT64_C(0x4fc7194358d43d1e)},
    {"3568777534873726898.59e+274", UINT64_C(0x7cac9c16e08b3d3f)},
    {"45053256292744027.57671070E-332", UINT64_C(0x00000000056f6e46)},
    {"-33.31415125653799337401597e-227", UINT64_C(0x911f9160e6f7ac8b)},
    {"-9542048904203.272754228762e-1", UINT64_C(0xc26bc56164a68a79)},
    {"-103557822118050522011.6802e+15", UINT64_C(0xc733f1cb7a0e443a)},
    {"-861430965872740846.2885567E190", UINT64_C(0xeb1ad4d71dd60a70)},
    {"-8116923983392435882661871E+287", TOO_LARGE},
    {"220601328772497183371.025119811e-310", UINT64_C(0x03cb848f75a43aa9)},
    {"-28.4564400121689917107744314954e-119", UINT64_C(0xa786f687f62e6288)},
    {"8968045814405524571.54969162585e-19", UINT64_C(0x3fecb29f858615a3)},
    {"2559.75850746689585221377125755E20", UINT64_C(0x44cb1a3d4531f74d)},
    {"-77761844569122234029898462893.7E+139", UINT64_C(0xe2ca5fca34342d33)},
    {"660660793560667.266453659888582E+294", TOO_LARGE},
    {"121767517736108798.9854643323516884205873E-330", UINT64_C(0x00000005bd046b81)},
    {"6947517771244372.556858148795799690821954E-266", UINT64_C(0x0bffd5c84370e683)},
    {"-344041749558330574939799545329949.3056601E-3", UINT64_C(0xc6115ea2a91b5f05)},
    {"-908659740844865315149421524058464819830.2E+10", UINT64_C(0xca18de847ab2473e)},
    {"-1410469454731610864683294706981225.650722E+134", UINT64_C(0xe2a322a5541c250a)},
    {"-389416.2516153268519424221489022474259055E299", UINT64_C(0xff2c648f767cdd3f)},
    {"0.5072109057768566069", UINT64_C(0x3fe03b125d8f8e6e)},
    {"0.0729367139270701028297", UINT64_C(0x3fb2abfb00fe95d6)},
    {"0.04723536249617734029905", UINT64_C(0x3fa82f3bc24585d2)},
    {"0.000000949523425733916", UINT64_C(0x3eafdc58184a1303)},
    {"0.00010313230667760604707002", UINT64_C(0x3f1b09178990c815)},
    {"0.000085291596845128122", UINT64_C(0x3f165bd279ee636e)},
    {"0.258786542844342", UINT64_C(0x3fd08ff56e8a5396)},
    {"0.00000831625967637073", UINT64_C(0x3ee170c206d73d2f)},
    {"0.00000749447018630001770319", UINT64_C(0x3edf6f20474970b1)},
    {"0.000000022685072712337050205", UINT64_C(0x3e585ba0140e7e52)},
    {"0.0000015459090574260619829633", UINT64_C(0x3eb9efa0fbef9021)},
    {"0.0000000817607448746933", UINT64_C(0x3e75f28e3c26b53c)},
    {"0.000007641920518114465147", UINT64_C(0x3ee006b98efb8cee)},
    {"0.000151271960255760891", UINT64_C(0x3f23d3d83e83ee60)},
    {"0.000210775575845224", UINT64_C(0x3f2ba07468fc6b48)},
    {"0.000000615314123636050689", UINT64_C(0x3ea4a582113d8a35)},
    {"0.408692686246514", UINT64_C(0x3fda28055e62c33e)},
    {"0.0061083367662777255431167", UINT64_C(0x3f79050e2a4e4dde)},
    {"0.33643303634504915", UINT64_C(0x3fd5881e6e195780)},
    {"0.00003962425638785062471442", UINT64_C(0x3f04c647151f941b)},
    {"0.00000069711231735003652866", UINT64_C(0x3ea764263294e570)},
    {"0.0011185320880741830188064", UINT64_C(0x3f525376af383355)},
    {"0.00057120366966917048091597", UINT64_C(0x3f42b79a8a5095e3)},
    {"0.0000946082135218939822", UINT64_C(0x3f18cd0cbb66d8f7)},
    {"0.00515263662025372", UINT64_C(0x3f751aee5c5ac63a)},
    {"0.00000007242656637212488367987", UINT64_C(0x3e73711da1534205)},
    {"0.000005584809114875565867643", UINT64_C(0x3ed76ca4a3e2c17c)},
    {"0.0000043007612267222350930619", UINT64_C(0x3ed209e83e884d8e)},
    {"0.0000645133489086902470388", UINT64_C(0x3f10e96ae516666a)},
    {"0.000351935374634347", UINT64_C(0x3f37107eeca2dbdb)},
    {"-846583721943768.0", UINT64_C(0xc3080fb5102716c0)},
    {"-20179625.9259452", UINT64_C(0xc1733eaa9ed0abea)},
    {"-92215.48866838456768540", UINT64_C(0xc0f68377d195f0a5)},
    {"-183607927.5839166316783", UINT64_C(0xc1a5e344ef2af71f)},
    {"-174048879525619496.191", UINT64_C(0xc38352c4452d6f39)},
    {"-380479431894.726", UINT64_C(0xc2562595d935ae77)},
    {"-62345094147913558.6689", UINT64_C(0xc36bafd10cc596eb)},
    {"-47782647428073724.45703", UINT64_C(0xc365384211cc1920)},
    {"-9187578.430429541", UINT64_C(0xc161861f4dc6142c)},
    {"-22172936.9039601221", UINT64_C(0xc17525508e769ee4)},
    {"-8144362627924037.9856", UINT64_C(0xc33cef41315c0046)},
    {"-93036562.2701713", UINT64_C(0xc1962e804914a7c9)},
    {"-9685407184.148371", UINT64_C(0xc2020a5cae812fdd)},
    {"-370070773.25008946985", UINT64_C(0xc1b60ed4f54005dd)},
    {"-70370396539.3831677", UINT64_C(0xc2306267097b6217)},
    {"-68474.26800060796845", UINT64_C(0xc0f0b7a449bb0169)},
    {"-55125254305689262.23254", UINT64_C(0xc3687b040e2165d6)},
    {"-79029.35552709268740", UINT64_C(0xc0f34b55b03d2d3f)},
    {"-5537309274956821.718348", UINT64_C(0xc333ac2748586416)},
    {"-19540862701.96300", UINT64_C(0xc21232e79bb7da1d)},
    {"-122210599718446911428.4", UINT64_C(0xc41a800d13c715ed)},
    {"-357132.779457327403757", UINT64_C(0xc115cc331e2a0fc7)},
    {"-9178762.31249473022", UINT64_C(0xc16181d149fff4f3)},
    {"-137249.5413811319", UINT64_C(0xc100c10c54bfa181)},
    {"-5807968111.609197", UINT64_C(0xc1f5a2e8f6f9bf45)},
    {"-821912.8350753343", UINT64_C(0xc1291531ab8efe85)},
    {"-427909422636395.11064", UINT64_C(0xc2f852e6d21dd6b2)},
    {"-6472789.08849450439", UINT64_C(0xc158b11545a9e4db)},
    {"-1241507255679061.5699", UINT64_C(0xc311a493bbd7e156)},
    {"-2878196079020631.1", UINT64_C(0xc32473687dc494ae)},
};

TEST(numbers_another_program_has_read)
{
    for (size_t i = 0; i < sizeof known_numbers / sizeof known_numbers[0]; i++)
        check(known_numbers[i].text, known_numbers[i].bits);
}

/* ---- exact decimals, computed digit by digit ---- */

enum { DIGITS = 1200 };
typedef struct decimal {
    uint8_t digits[DIGITS]; /* least first */
    int count, behind;      /* the point */
} decimal;

static void decimal_multiply(decimal *d, int factor)
{
    int carry = 0;
    for (int i = 0; i < d->count || carry > 0; i++) {
        carry += factor * (i < d->count ? d->digits[i] : 0);
        d->digits[i] = (uint8_t)(carry % 10);
        carry /= 10;
        d->count = i >= d->count ? i + 1 : d->count;
    }
}

/* m * 2^exponent */
static decimal decimal_of(uint64_t m, int exponent)
{
    decimal d = {.count = 0};
    for (; m > 0; m /= 10)
        d.digits[d.count++] = (uint8_t)(m % 10);
    for (; exponent > 0; exponent--)
        decimal_multiply(&d, 2);
    for (; exponent < 0; exponent++, d.behind++)
        decimal_multiply(&d, 5);
    return d;
}

/* The digits, then `more`, then what the exponent must be. */
static void decimal_print(const decimal *d, const char *more, char *out)
{
    for (int i = d->count; i-- > 0;)
        *out++ = (char)('0' + d->digits[i]);
    sprintf(out, "%se%d", more, -d->behind - (int)strlen(more));
}

/* The point halfway to the next number above, and what is next to it. */
static void check_above(uint64_t bits)
{
    const int biased = (int)(bits >> 52);
    const uint64_t hidden = UINT64_C(1) << 52, m = (bits & (hidden - 1)) | (biased > 0 ? hidden : 0);
    decimal d = decimal_of(2 * m + 1, (biased > 0 ? biased : 1) - 1075 - 1);
    const uint64_t above = bits + 1 < UINT64_C(2047) << 52 ? bits + 1 : TOO_LARGE;
    char text[DIGITS + 64];
    decimal_print(&d, "", text);
    check(text, m % 2 == 0 ? bits : above);
    decimal_print(&d, "0000000000", text);
    check(text, m % 2 == 0 ? bits : above);
    decimal_print(&d, "0000000001", text);
    check(text, above);
    if (d.behind == 0 && d.digits[0] < 9) { /* a large whole number: the next one */
        decimal next = d;
        next.digits[0]++;
        decimal_print(&next, "", text);
        check(text, above);
    }
    int at = 0;
    while (d.digits[at] == 0)
        d.digits[at++] = 9;
    d.digits[at]--;
    decimal_print(&d, "9999999999", text);
    check(text, bits);
}

TEST(points_halfway_between_neighbours)
{
    uint64_t state = 3;
    check_above(0);
    check_above(1);
    check_above(UINT64_C(0x000ffffffffffffe)); /* 768 digits, as long as they get */
    check_above(UINT64_C(0x000fffffffffffff));
    check_above(UINT64_C(0x0010000000000000));
    check_above(UINT64_C(0x001fffffffffffff));
    check_above(UINT64_C(0x7feffffffffffffe));
    check_above(UINT64_C(0x7fefffffffffffff)); /* the point where numbers become too large */
    for (int i = 0; i < SOME; i++) {
        const uint64_t random = random_bits(&state);
        check_above(random % (UINT64_C(2047) << 52));
        check_above(random % UINT64_C(0x10000000000000));
        check_above(random % (UINT64_C(200) << 52) + (UINT64_C(940) << 52));
    }
}

/* ---- there and back ---- */

static void check_back(double value)
{
    char text[32];
    double back = 7;
    const size_t length = trilo_double_print(value, text);
    if (!tl_read_double(text, length, &back) || bits_of(back) != bits_of(value))
        FAIL("%s comes back as %a", text, back);
}

TEST(printed_numbers_read_back)
{
    uint64_t state = 4;
    for (int i = 0; i < MANY; i++) {
        const uint64_t random = random_bits(&state);
        if ((random >> 52 & 2047) != 2047)
            check_back(double_of(random));
        check_back((double)(random >> 11) / 9007199254740992.0);
        check_back(double_of((random & ~(UINT64_C(2047) << 52)) | (random % 60 + 1000) << 52));
    }
    for (uint64_t exponent = 0; exponent < 2047; exponent++)
        for (uint64_t i = exponent == 0 ? 2 : 0; i < 5; i++)
            check_back(double_of((exponent << 52) + i - 2));
}

/* The C library, in the locale "C", is the second opinion. */
TEST(random_texts_as_the_c_library_reads_them)
{
    uint64_t state = 5;
    for (int i = 0; i < MANY / 4; i++) {
        const uint64_t a = random_bits(&state), b = random_bits(&state), c = random_bits(&state);
        char text[64];
        snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(a >> c % 64),
                 (unsigned long long)(b >> c / 64 % 64), (int)(c >> 32) % (i % 2 ? 360 : 40));
        const double want = strtod(text, NULL);
        check(text, want > DBL_MAX ? TOO_LARGE : bits_of(want));
    }
}

TEST_MAIN(CASE(numbers_known_by_heart), CASE(halfway_goes_to_even), CASE(the_largest_and_the_smallest),
          CASE(absurd_lengths), CASE(the_last_of_many_digits), CASE(numbers_another_program_has_read),
          CASE(points_halfway_between_neighbours), CASE(printed_numbers_read_back),
          CASE(random_texts_as_the_c_library_reads_them))
