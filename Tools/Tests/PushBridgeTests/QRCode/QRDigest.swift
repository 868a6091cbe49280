@testable import pushbridge_try

/// Digests of QR codes of every version, each filled to its capacity.
///
/// Two independent encoders make the same codes (`qrcode` 8.2 and `segno` 1.6).
struct QRDigest: Sendable {
    let level: QRErrorCorrection
    /// The number of bytes in a full code, by version.
    let capacities: [Int]
    /// The FNV-1a digests of the codes, by version.
    ///
    /// The modules are read row by row as `0` and `1`. The mask is the version's number modulo 8.
    let digests: [UInt64]

    static let low = QRDigest(
        level: .low,
        capacities: [
            17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458,
            520, 586, 644, 718, 792, 858, 929, 1003, 1091, 1171, 1273, 1367, 1465, 1528,
            1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431, 2563, 2699, 2809, 2953,
        ],
        digests: [
            0x8938_C52D_E793_23C9, 0x9472_8C4B_831D_96CD, 0xAF34_CAB4_1E8B_50A7, 0x2ED1_86F6_D324_5393,
            0x8F1E_E1C8_EB71_F572, 0xC1FD_F202_7B53_528F, 0x20CB_27E8_95B5_52B1, 0xD1A2_A6F7_00C7_2307,
            0xEDEE_6989_9DA0_FA56, 0x3CB6_1DC0_9518_D245, 0x5F5D_9FC1_6AFB_2A7D, 0xF6E8_110D_CBAA_4103,
            0x25DC_FEE0_854B_C4CB, 0x636A_61E6_3965_B805, 0x89E5_E7F1_2FB8_6F7A, 0xB9C2_88E3_118D_8CD9,
            0xAA86_BF76_07A2_6D4A, 0xCA57_935B_8546_C2DD, 0x85A1_1642_CB99_EF3F, 0xE7A8_5FD4_3EEA_CFCF,
            0xC4D2_199E_4827_0F8E, 0x9D46_F0F0_A743_2231, 0x3B83_0FDE_F0CF_DCC1, 0x6BB0_BBCF_650A_877F,
            0x76D4_AB23_7A1F_3538, 0xDF52_A69C_ABAA_C03F, 0xEFF1_2695_C407_9ABD, 0x1D72_79FE_4EEE_8B86,
            0x1C21_88B8_CF05_610E, 0xD575_C41A_21BB_C596, 0x5BA0_44D2_335F_22BA, 0x8834_14E5_8AEC_1211,
            0x3BF8_1660_F6C9_5A00, 0xBDC4_A692_1A27_97FD, 0x9F87_880C_2B3A_0967, 0xAA30_3BD4_E9B5_B3B5,
            0x18F5_23F0_7714_3259, 0xE80E_E463_6896_C6C5, 0xF177_43F7_4811_7FD4, 0xAD0A_6C3F_EEEA_E549,
        ]
    )

    static let medium = QRDigest(
        level: .medium,
        capacities: [
            14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362,
            412, 450, 504, 560, 624, 666, 711, 779, 857, 911, 997, 1059, 1125, 1190,
            1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213, 2331,
        ],
        digests: [
            0x77DA_FD52_2F57_0193, 0xAFE6_63D2_EE95_610B, 0xEE1E_B8D3_62EF_1D8B, 0xF32C_402B_43FA_F44D,
            0x9E33_CBDD_436C_75FC, 0xA0EA_5B3D_E6C3_4369, 0x345D_A941_D2BE_64B9, 0x04AD_3B46_AAA4_9B91,
            0x7BC6_9E0B_0EBD_8EA4, 0x972C_D74F_38ED_F01F, 0x9259_57D8_44C3_A0B9, 0xB9C3_97F9_4701_0B35,
            0x177E_E9BA_569C_386F, 0x4E7C_B45F_2350_6B19, 0x6D4D_0ECF_4EA3_627A, 0x8432_44CB_145C_F8A5,
            0x145B_005B_5216_5FFE, 0x18FF_E0F8_D87C_4C57, 0xCD50_E1B9_5146_F08B, 0x563C_54BB_C335_B77F,
            0xFF49_B27C_99CB_2430, 0xDA25_81E8_7450_675B, 0xB05A_03BB_1523_3A47, 0xE811_696C_2854_2011,
            0x70D6_0C8C_56E2_57A0, 0x7942_5385_E36E_3FD9, 0xBE32_9524_23EF_214F, 0x3DE3_1880_F6E1_EE90,
            0xCB64_54F3_6C93_3FDE, 0x9A11_5593_CB37_B40C, 0xEF87_F1CD_48CC_3D1E, 0x3AAA_87A4_F7D1_8DB7,
            0xF446_5A08_4F0A_718A, 0xD79A_567A_D41E_54F7, 0xD096_2FA0_373C_D27D, 0xBF15_517E_89F0_98AF,
            0xD525_2F0E_03DB_5A8B, 0x2E10_6506_8411_2B51, 0x860C_B11B_4980_9926, 0xE96A_D726_F84D_29F9,
        ]
    )

    /// Returns bytes that have no pattern.
    static func content(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 13) }
    }

    static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
