import Foundation
import Testing

@testable import PushBridgeCore

@Suite struct OneTimePasswordTests {
    /// The vectors of RFC 4226, appendix D.
    @Test func hotpValuesMatchTheVectorsOfRFC4226() throws {
        let secret = try #require(SharedSecret(utf8: "12345678901234567890"))
        let password = try OneTimePassword(secret: secret)
        let codes = try (0..<10).map { try password.code(counter: $0) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871",
                "520489",
            ]
        )
    }

    /// The vectors of RFC 6238, appendix B, with the seeds of the errata; these seeds are as long as the digest.
    @Test(arguments: [
        (OathAlgorithm.sha1, 20, ["94287082", "07081804", "14050471", "89005924", "69279037", "65353130"]),
        (.sha256, 32, ["46119246", "68084774", "67062674", "91819424", "90698825", "77737706"]),
        (.sha512, 64, ["90693936", "25091201", "99943326", "93441116", "38618901", "47863826"]),
    ])
    func totpValuesMatchTheVectorsOfRFC6238(
        _ algorithm: OathAlgorithm,
        _ seedLength: Int,
        _ expected: [String]
    ) throws {
        let seed = String(repeating: "1234567890", count: 7).prefix(seedLength)
        let secret = try #require(SharedSecret(utf8: String(seed)))
        let password = try OneTimePassword(secret: secret, algorithm: algorithm, digits: 8)
        let times: [TimeInterval] = [
            59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000,
        ]
        let codes = try times.map { try password.code(at: Date(timeIntervalSince1970: $0), period: 30) }
        #expect(codes == expected)
    }

    /// The examples of FIPS 180-4 for SHA-224, and messages that end near the end of a block.
    @Test(arguments: [
        ("", "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"),
        ("abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525"
        ),
        (String(repeating: "a", count: 55), "fb0bd626a70c28541dfa781bb5cc4d7d7f56622a58f01a0b1ddd646f"),
        (String(repeating: "a", count: 56), "d40854fc9caf172067136f2e29e1380b14626bf6f0dd06779f820dcd"),
        (String(repeating: "a", count: 63), "1d4e051f4d6fed2a63fd2421e65834cec00d64456553de3496ae8b1d"),
        (String(repeating: "a", count: 64), "a88cd5cde6d6fe9136a4e58b49167461ea95d388ca2bdb7afdc3cbf4"),
        (String(repeating: "a", count: 1000), "4e8f0ce90b64661a2b5e84be6d93a7d9b76871062f1814433d04a03d"),
    ])
    func sha224DigestsMatchTheVectors(_ message: String, _ digest: String) {
        #expect(hexadecimal(SHA224.hash(Array(message.utf8))) == digest)
    }

    /// Test cases 1 to 4, 6 and 7 of RFC 4231.
    private static let authenticationCodes: [(key: [UInt8], message: [UInt8], code: String)] = [
        (
            [UInt8](repeating: 0x0B, count: 20), [UInt8]("Hi There".utf8),
            "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22"
        ),
        (
            [UInt8]("Jefe".utf8), [UInt8]("what do ya want for nothing?".utf8),
            "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "7fb3cb3588c6c1f6ffa9694d7d6ad2649365b0c1f65d69d1ec8333ea"
        ),
        (
            [UInt8](1...25), [UInt8](repeating: 0xCD, count: 50),
            "6c11506874013cac6a2abc1bb382627cec6a90d86efc012de7afec5a"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            [UInt8]("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            [UInt8](
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8
            ),
            "3a854166ac5d9f023f54d517d0b39dbd946770db9c2b95c9f6f565d1"
        ),
    ]

    @Test(arguments: authenticationCodes)
    func sha224AuthenticationCodesMatchTheVectors(_ key: [UInt8], _ message: [UInt8], _ code: String) {
        let found = key.withUnsafeBytes { SHA224.authenticationCode(for: Data(message), key: $0) }
        #expect(hexadecimal(found) == code)
    }

    /// The seed is as long as the digest, as in RFC 6238 for the other hash functions.
    @Test func oneTimePasswordsWithSHA224AreComputed() throws {
        let secret = try #require(SharedSecret(utf8: "1234567890123456789012345678"))
        let password = try OneTimePassword(secret: secret, algorithm: .sha224, digits: 8)
        let times: [TimeInterval] = [59, 1_111_111_109, 2_000_000_000]
        let codes = try times.map { try password.code(at: Date(timeIntervalSince1970: $0), period: 30) }
        #expect(codes == ["32201820", "82019503", "97691324"])
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func md5ThrowsIfTheTruncationExceedsTheDigest() throws {
        let secret = try #require(SharedSecret(utf8: "12345678901234567890"))
        let password = try OneTimePassword(secret: secret, algorithm: .md5)
        let results = (0..<64).map { counter in
            Result { () throws(OneTimePasswordError) in try password.code(counter: counter) }
        }
        #expect(results.contains(.failure(.truncationOutOfBounds)))
        #expect(results.contains { if case .success(let code) = $0 { code.count == 6 } else { false } })
    }

    @Test func countersBeyond32BitsProduceCorrectOneTimePasswords() throws {
        let secret = try #require(SharedSecret(base32: "J2CBWYZBE4NTQQNJNBOUK4A67JLUBALI"))
        let password = try OneTimePassword(secret: secret, algorithm: .sha512, digits: 8)
        #expect(try password.code(counter: 4_294_967_300) == "06523432")
    }

    @Test func invalidParametersThrow() throws {
        let secret = try #require(SharedSecret(utf8: "secret"))
        #expect(throws: OneTimePasswordError.unsupportedDigits(0)) {
            try OneTimePassword(secret: secret, digits: 0)
        }
        #expect(throws: OneTimePasswordError.unsupportedDigits(10)) {
            try OneTimePassword(secret: secret, digits: 10)
        }
        let password = try OneTimePassword(secret: secret)
        #expect(throws: OneTimePasswordError.negativeCounter) { try password.code(counter: -1) }
        #expect(throws: OneTimePasswordError.unsupportedPeriod(0)) { try password.code(at: .now, period: 0) }
        #expect(throws: OneTimePasswordError.negativeCounter) {
            try password.code(at: .distantPast, period: 30)
        }
        let never = Date(timeIntervalSince1970: .infinity)
        #expect(throws: OneTimePasswordError.negativeCounter) { try password.code(at: never, period: 30) }
    }
}
