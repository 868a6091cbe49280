import Foundation
import PushBridgeCore
import Testing

@Suite struct OneTimePasswordTests {
    /// RFC 4226, appendix D.
    @Test func counterVectors() throws {
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

    /// RFC 6238, appendix B, with the seeds of the errata: as long as the digest.
    @Test(arguments: [
        (OathAlgorithm.sha1, 20, ["94287082", "07081804", "14050471", "89005924", "69279037", "65353130"]),
        (.sha256, 32, ["46119246", "68084774", "67062674", "91819424", "90698825", "77737706"]),
        (.sha512, 64, ["90693936", "25091201", "99943326", "93441116", "38618901", "47863826"]),
    ])
    func timeVectors(_ algorithm: OathAlgorithm, _ seedLength: Int, _ expected: [String]) throws {
        let seed = String(repeating: "1234567890", count: 7).prefix(seedLength)
        let secret = try #require(SharedSecret(utf8: String(seed)))
        let password = try OneTimePassword(secret: secret, algorithm: algorithm, digits: 8)
        let times: [TimeInterval] = [
            59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000,
        ]
        let codes = try times.map { try password.code(at: Date(timeIntervalSince1970: $0), period: 30) }
        #expect(codes == expected)
    }

    @Test func md5HasNoCodeWhereTruncationLeavesTheDigest() throws {
        let secret = try #require(SharedSecret(utf8: "12345678901234567890"))
        let password = try OneTimePassword(secret: secret, algorithm: .md5)
        let results = (0..<64).map { counter in
            Result { () throws(OneTimePasswordError) in try password.code(counter: counter) }
        }
        #expect(results.contains(.failure(.truncationOutOfBounds)))
        #expect(results.contains { if case .success(let code) = $0 { code.count == 6 } else { false } })
    }

    @Test func countersBeyond32BitsCount() throws {
        let secret = try #require(SharedSecret(base32: "J2CBWYZBE4NTQQNJNBOUK4A67JLUBALI"))
        let password = try OneTimePassword(secret: secret, algorithm: .sha512, digits: 8)
        #expect(try password.code(counter: 4_294_967_300) == "06523432")
    }

    @Test func senselessParametersAreErrors() throws {
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
