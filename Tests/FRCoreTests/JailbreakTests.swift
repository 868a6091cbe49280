import FRCore
import Testing

@Suite("Tampering")
struct JailbreakTests {
    @Test func withoutDetectorsTheJailbreakScoreIsMinusOne() {
        #expect(FRJailbreakDetector(detectors: []).analyze() == -1)
    }

    @Test func theDetectorReturnsTheHighestScore() {
        let detector = FRJailbreakDetector(detectors: [Score(0.2), Score(0.7), Score(0)])
        #expect(detector.analyze() == 0.7)
        detector.detectors = [Score(0)]
        #expect(detector.analyze() == 0)
    }

    @Test(arguments: [(-3.0, 0.0), (7, 1)])
    func aScoreIsWithinBounds(_ score: Double, _ expected: Double) {
        #expect(FRJailbreakDetector(detectors: [Score(score)]).analyze() == expected)
    }
}

private final class Score: JailbreakDetector {
    let score: Double

    init(_ score: Double) { self.score = score }

    func analyze() -> Double { score }
}
